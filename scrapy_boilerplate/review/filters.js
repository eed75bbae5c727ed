"use strict";

/* The kept blocks, by the same rules as in keep.py, so that the page follows the slider without a server. */
const filters = {
  keep(segmentation, scores, threshold, filter) {
    let kept = scores.map((score) => score >= threshold);
    if (!filter || !kept.includes(true)) return kept;
    if (filter === "ancestor") return filters.largestGroup(kept, segmentation);
    if (filter === "main") {
      const { first, last } = filters.titleAndComments(kept, segmentation);
      kept = kept.map((is, number) => is && number >= first && number < last);
    }
    return filters.largestRun(kept, segmentation);
  },

  largestGroup(kept, { blocks, groups }) {
    const characters = new Map();
    kept.forEach((is, number) => {
      if (is) characters.set(groups[number], (characters.get(groups[number]) || 0) + blocks[number].characters);
    });
    const largest = filters.firstLargest([...characters]);
    return kept.map((is, number) => is && groups[number] === largest);
  },

  titleAndComments(kept, { blocks, titles, comments, limits }) {
    let total = 0;
    const above = kept.map((is, number) => { // kept words before each block
      const before = total;
      if (is) total += blocks[number].words;
      return before;
    });
    if (!total) return { first: 0, last: kept.length };
    const first = titles.find((number) => above[number] <= total / 2) ?? 0;
    const enough = Math.min(limits.words, total * limits.share);
    const last = comments.find((number) => number > first && above[number] - above[first] >= enough);
    return { first, last: last ?? kept.length };
  },

  largestRun(kept, { blocks, limits }) {
    const runs = []; // [number, words] of each run
    let end = -Infinity; // the last kept block so far
    const numbers = kept.map((is, number) => {
      if (!is) return -1;
      if (number - end > limits.gap + 1) runs.push([runs.length, 0]);
      end = number;
      runs[runs.length - 1][1] += blocks[number].words;
      return runs.length - 1;
    });
    const largest = filters.firstLargest(runs);
    return numbers.map((number) => number >= 0 && number === largest);
  },

  firstLargest(pairs) {
    let best = [null, -1];
    for (const pair of pairs) if (pair[1] > best[1]) best = pair;
    return best[0];
  },
};
