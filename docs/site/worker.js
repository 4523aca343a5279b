// The search runs in a worker, and Chromium starts none for a page from the disk: there a frame stands for it.
if (location.protocol === "file:") {
  const Native = window.Worker;
  class Frame extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.documentElement.append(this.frame);
      const inner = this.frame.contentWindow;
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.loaded = new Promise((resolve) => {
        const script = inner.document.createElement("script");
        script.src = url;
        script.onload = () => resolve(inner);
        inner.document.documentElement.append(script);
      });
    }
    postMessage(data) {
      void this.loaded.then((inner) => inner.dispatchEvent(new inner.MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  }
  window.Worker = function (url, options) {
    try {
      return new Native(url, options);
    } catch {
      return new Frame(url);
    }
  };
}
