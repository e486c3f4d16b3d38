(() => {
  const parse = (text) => {
    const parts = (text.match(/[\d.]+/g) || []).map(Number);
    if (text.startsWith("color(srgb")) return [parts[0] * 255, parts[1] * 255, parts[2] * 255, parts[3] ?? 1];
    return text === "none" || text === "transparent" || parts.length < 3 ? [0, 0, 0, 0] : [parts[0], parts[1], parts[2], parts[3] ?? 1];
  };
  const over = (top, below) => top.slice(0, 3).map((c, i) => c * top[3] + below[i] * (1 - top[3])).concat(1);
  const luminance = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) => {
    const v = c[i] / 255;
    return sum + weight * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  }, 0);
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const groundOf = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.unshift(parse(getComputedStyle(e).backgroundColor));
    return layers.reduce((below, top) => over(top, below), [255, 255, 255, 1]);
  };
  const opacityOf = (element) => {
    let opacity = 1;
    for (let e = element; e; e = e.parentElement) opacity *= Number(getComputedStyle(e).opacity);
    return opacity;
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && element.getClientRects().length > 0;
  const nameOf = (element) => `${element.tagName.toLowerCase()} ${element.getAttribute("aria-label") || (element.textContent || "").trim().slice(0, 60)}`;

  const texts = () => {
    const list = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      if (node.nodeValue.trim() && parent && !["SCRIPT", "STYLE", "NOSCRIPT", "TITLE"].includes(parent.tagName) && isShown(parent)) list.add(parent);
    }
    return list;
  };

  window.breaches = () => {
    const wrong = [];
    for (const element of texts()) {
      const style = getComputedStyle(element);
      const isSVG = element instanceof SVGElement;
      const ground = groundOf(element);
      const ink = parse(isSVG ? style.fill : style.color);
      const seen = over([ink[0], ink[1], ink[2], ink[3] * opacityOf(element)], ground);
      const size = parseFloat(style.fontSize), isLarge = size >= 24 || size >= 18.66 && Number(style.fontWeight) >= 700;
      const ratio = contrast(seen, ground);
      if (ratio < (isLarge ? 3 : 4.5)) wrong.push(`contrast ${ratio.toFixed(2)}: ${nameOf(element)}`);
    }
    const ids = new Set();
    for (const element of document.querySelectorAll("[id]")) {
      if (ids.has(element.id)) wrong.push(`two elements have the id ${element.id}`);
      ids.add(element.id);
    }
    for (const attribute of ["aria-labelledby", "aria-describedby", "aria-controls", "for"]) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        for (const id of element.getAttribute(attribute).split(/\s+/)) if (!ids.has(id)) wrong.push(`${attribute} of ${nameOf(element)} names nothing: ${id}`);
      }
    }
    let level = 0;
    for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
      const next = Number(heading.tagName[1]);
      if (next > level + 1) wrong.push(`${nameOf(heading)} follows a heading of level ${level}`);
      level = next;
    }
    if (document.querySelectorAll("h1").length !== 1) wrong.push("the page has not one heading of level 1");
    if (!document.documentElement.lang || !document.title) wrong.push("the page has no language or no title");
    for (const drawing of document.querySelectorAll("svg, [role=img], canvas")) {
      if (!drawing.getAttribute("aria-label") && !drawing.closest("[aria-hidden=true]")) wrong.push(`a drawing has no description: ${nameOf(drawing)}`);
    }
    if (document.querySelector("[tabindex]:not([tabindex='0']):not([tabindex='-1'])")) wrong.push("an element changes the order of the focus");
    if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push(`the page is ${document.documentElement.scrollWidth} wide in a window of ${innerWidth}`);
    return wrong;
  };

  const brightness = (canvas) => {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) sum += luminance(over([data[i], data[i + 1], data[i + 2], data[i + 3] / 255], [255, 255, 255, 1]));
    return sum / (data.length / 4);
  };

  // What is wrong with the page on paper: it is cut off, dark, or has what only a screen can use.
  window.printed = () => {
    const wrong = [];
    for (const element of document.body.querySelectorAll("*")) {
      if (!isShown(element) || element.closest("svg") && element.tagName !== "svg") continue;
      const style = getComputedStyle(element), box = element.getBoundingClientRect();
      if (box.right > innerWidth + 1 || box.left < -1) wrong.push(`${nameOf(element)} reaches from ${box.left} to ${box.right} on paper of ${innerWidth}`);
      if (style.overflow !== "visible" && (element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)) wrong.push(`${nameOf(element)} is cut off`);
      if (element.matches("input, select, textarea, nav, details:not([open])") || element.tagName === "BUTTON" && (style.borderTopStyle !== "none" || style.borderTopWidth !== "0px")) wrong.push(`${nameOf(element)} cannot be used on paper`);
      if (element.tagName === "CANVAS" && brightness(element) < 0.4) wrong.push(`a drawing is dark: ${brightness(element).toFixed(2)}`);
    }
    for (const element of texts()) if (luminance(groundOf(element)) < 0.4) wrong.push(`the ground is dark: ${nameOf(element)}`);
    return [...new Set(wrong)];
  };

  window.focused = () => {
    const element = document.activeElement;
    if (!element || element === document.body) return { Name: "", Wrong: "" };
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    let wrong = "";
    if (!isShown(element) || box.width * box.height === 0) wrong = "it has the focus and is not to be seen";
    else if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 1) wrong = "it does not show that it has the focus";
    return { Name: nameOf(element), Wrong: wrong };
  };
})();
