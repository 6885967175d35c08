/** True in runs that leave nothing out and have the machine to themselves: `WICK_TEST_ALL=1`. */
export const runsAll = process.env.WICK_TEST_ALL === "1"
