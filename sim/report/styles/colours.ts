/**
 * Every colour, once for light and once for dark. Those of bars and ends are of Okabe and Ito's palette, which people tell
 * apart however they see colours; a shape or a pattern says the same again.
 */
import { css } from '../source.js'

export const COLOURS: string = css`
:root {
  color-scheme: light dark;
  --ground: #f3f5f8;
  --surface: #ffffff;
  --stripe: #f9fafc;
  --head: #eef1f5;
  --line: #d9dfe7;
  --grid: rgb(30 50 80 / 0.07);
  --text: #18202c;
  --dim: #586374;
  --accent: #1d5fd1;
  --good: #00704f;
  --good-ground: #dff3ea;
  --bad: #b42318;
  --bad-ground: #fde7e4;

  --assigned: #e3a31c;
  --claimed: #3d9bd6;
  --processing: #0b62a8;
  --on-bar: #ffffff;
  --completed: #00845f;
  --failed: #cc3d00;
  --crashed: #8f0f2e;
  --superseded: #86479d;
  --released: #667080;

  --decision: #3b4656;
  --move: #86479d;
  --calm: #00845f;
  --violation: #d3180c;
  --records: #86479d;
  --beacons: #4b8d9e;

  --absent: #3d4654;
  --down: #8f0f2e;
  --asleep: #4a5fa8;
  --stalled: #b07a00;
  --revoked: #86479d;
  --byzantine: #d0006f;
  --disk: #8b5a2b;
  --split: #5b6675;
  --weather: #0e7c86;
  --text-on-shade: #3a4454;
  --side-0: #1d5fd1;
  --side-1: #c25e00;
  --side-2: #00845f;
  --side-3: #86479d;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10141a;
    --surface: #181d25;
    --stripe: #1c222b;
    --head: #212832;
    --line: #323b48;
    --grid: rgb(220 230 255 / 0.07);
    --text: #e8edf4;
    --dim: #9aa6b6;
    --accent: #72a7ff;
    --good: #57d3a4;
    --good-ground: #12372b;
    --bad: #ff8d7e;
    --bad-ground: #47201c;

    --assigned: #e9b13c;
    --claimed: #66bdf0;
    --processing: #3d8fd8;
    --on-bar: #08121c;
    --completed: #35c493;
    --failed: #ff8351;
    --crashed: #ff6a88;
    --superseded: #cf95e6;
    --released: #a0abba;

    --decision: #d3dbe6;
    --move: #cf95e6;
    --calm: #35c493;
    --violation: #ff5a4d;
    --records: #cf95e6;
    --beacons: #6fc0d2;

    --absent: #8b97a8;
    --down: #ff6a88;
    --asleep: #93a6f2;
    --stalled: #edb63f;
    --revoked: #cf95e6;
    --byzantine: #ff6fb5;
    --disk: #cf9c6a;
    --split: #9aa6b6;
    --weather: #55c0cb;
    --text-on-shade: #c3ccd8;
    --side-0: #72a7ff;
    --side-1: #ff9f4d;
    --side-2: #35c493;
    --side-3: #cf95e6;
  }
}
`
