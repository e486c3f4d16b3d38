// What a timeline shows of spans that are shorter than a pixel.
"use strict";

/** Spans that are shorter than a pixel, of one pixel at a time. */
class Fine {
  /**
   * @param {TimelinePainter} drawing
   * @param {CanvasRenderingContext2D} g
   * @param {{pipeline: number, y: number, height: number}} row
   */
  constructor(drawing, g, row) {
    this.drawing = drawing;
    this.g = g;
    this.row = row;
    this.pixel = -1;
    this.busy = 0; // part of the pixel
    this.idle = 0;
    this.most = 0;
    /** @type {Span | null} */
    this.main = null; // the longest that executes, or that is looked at
    /** @type {Span | null} */
    this.rest = null;
  }

  /**
   * @param {Span} span
   * @param {number} x
   * @param {number} end
   */
  add(span, x, end) {
    const pixel = Math.floor(x);
    if (pixel !== this.pixel) {
      this.flush();
      this.pixel = pixel;
    }
    if (span.state !== State.executing) {
      this.idle += end - x;
      this.rest = span;
      return;
    }
    this.busy += end - x;
    const weight = (end - x) * (this.drawing.isQuiet(span) ? 0.01 : 1);
    if (weight > this.most || !this.main) {
      this.main = span;
      this.most = weight;
    }
  }

  flush() {
    const { g, row, drawing } = this;
    if (this.pixel >= 0) {
      if (this.rest && this.idle > this.busy / 8) {
        const [y, height] = drawing.band(row, this.rest);
        g.globalAlpha = drawing.isQuiet(this.rest) ? 0.25 : 1;
        g.fillStyle = drawing.colourOf(this.rest);
        g.fillRect(this.pixel, y, 1, height);
      }
      if (this.main) {
        g.globalAlpha = (drawing.isQuiet(this.main) ? 0.25 : 1);
        g.fillStyle = drawing.colourOf(this.main);
        const share = Math.min(1, this.busy);
        const height = row.height * (row.pipeline >= 0 ? share : Math.sqrt(share));
        g.fillRect(this.pixel, row.y + row.height - height, 1, height);
      }
      g.globalAlpha = 1;
    }
    this.pixel = -1;
    this.busy = this.idle = this.most = 0;
    this.main = this.rest = null;
  }
}
