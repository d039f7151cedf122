/** What is returned calls run after so many ms, once for all calls meanwhile: for words that stand beside what moves. */
export function seldom(ms: number, run: () => void): () => void {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      run();
    }, ms);
  };
}
