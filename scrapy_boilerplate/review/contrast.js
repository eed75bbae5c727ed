/* The contrast of texts, from 1 to 21, as the Web Content Accessibility Guidelines define it. */
class Contrast {
  constructor() {
    this.canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    this.grounds = new Map(); // the background colours below the text of each element; null: an image
    this.luminances = new Map(); // of stacked colours
  }

  of(element) {
    const ground = this.groundOf(element.parentElement);
    if (ground === null) return 21; // unknown: assume that it is readable
    const { color, backgroundColor } = getComputedStyle(element);
    const below = [...ground, backgroundColor];
    const [dark, light] = [this.luminance(below), this.luminance([...below, color])].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  groundOf(element) {
    if (!element) return ["#fff"];
    if (!this.grounds.has(element)) {
      const { backgroundColor, backgroundImage } = getComputedStyle(element);
      const isOpaque = !/rgba|\//.test(backgroundColor);
      const below = isOpaque ? [] : this.groundOf(element.parentElement);
      this.grounds.set(element, backgroundImage !== "none" || below === null ? null : [...below, backgroundColor]);
    }
    return this.grounds.get(element);
  }

  luminance(colours) {
    const key = colours.join();
    if (!this.luminances.has(key)) {
      for (const colour of colours) {
        this.canvas.fillStyle = colour;
        this.canvas.fillRect(0, 0, 1, 1);
      }
      const [red, green, blue] = [...this.canvas.getImageData(0, 0, 1, 1).data].map((part) => {
        const value = part / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      this.luminances.set(key, 0.2126 * red + 0.7152 * green + 0.0722 * blue);
    }
    return this.luminances.get(key);
  }
}
