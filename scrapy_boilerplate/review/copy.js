/* Copy a text, and tell what was copied. Where the browser has no clipboard for files, an old command is left. */
const copier = {
  async copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      if (!copier.copyBySelection(text)) return copier.say("The browser doesn’t let this file copy.");
    }
    copier.say(`Copied: ${what}`);
  },

  copyBySelection(text) {
    const area = document.createElement("textarea");
    const focused = document.activeElement;
    area.value = text;
    document.body.append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return isDone;
  },

  say(text) {
    const toast = document.getElementById("said");
    toast.textContent = text;
    toast.dataset.shown = "";
    clearTimeout(copier.timer);
    copier.timer = setTimeout(() => delete toast.dataset.shown, 2500);
  },
};
