"use strict";

/* What is kept: the same rules as in filters.py, so that the page follows the slider without asking anybody. */
const filters = {
  keep(segmentation, scores, threshold, filter) {
    let kept = scores.map((score) => score >= threshold);
    if (!filter || !kept.includes(true)) return kept;
    if (filter === "ancestor") return filters.largestGroup(kept, segmentation);
    if (filter === "main") {
      const { first, last } = segmentation;
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

  largestRun(kept, { blocks }) {
    const runs = []; // of each its number and its words
    const numbers = kept.map((is, number) => {
      if (!is) return -1;
      if (!kept[number - 1]) runs.push([runs.length, 0]);
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
