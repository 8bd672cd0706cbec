# SPDX-License-Identifier: Apache-2.0
"""Pages in a real browser, by its debugging pipe: cli_pages.py BROWSER [--shots FOLDER] PAGE:PICTURES[:STEPS]...

Each page is opened at 1280 and at 390 pixels. No error, no request but for the page itself, as many
pictures as said, no wider than the screen, letters that can be read; where it has steps, the arrow keys
move through them and the picture changes. Exit code 77: the browser does not run here.
"""
import json, os, subprocess, sys, base64, shutil, tempfile

MEASURE = """(() => {
  const seen = e => { const r = e.getBoundingClientRect();
    return r.width > 0 && r.height > 0 && getComputedStyle(e).visibility == 'visible'; };
  let text = 99, drawn = 99;
  for (const e of document.querySelectorAll('p,td,th,li,h1,h2,h3,pre,figcaption,label,a,summary'))
    if (seen(e) && e.textContent.trim()) text = Math.min(text, parseFloat(getComputedStyle(e).fontSize));
  for (const e of document.querySelectorAll('svg text')) {
    const svg = e.closest('svg'), box = svg.getBoundingClientRect();
    if (box.width > 0 && svg.viewBox.baseVal.width > 0 && e.textContent.trim())
      drawn = Math.min(drawn, parseFloat(getComputedStyle(e).fontSize) * box.width / svg.viewBox.baseVal.width);
  }
  // Words of a picture on top of each other.
  let over = '';
  for (const svg of document.querySelectorAll('svg')) {
    const words = [...svg.querySelectorAll('text')].filter(e => seen(e) && e.textContent.trim())
      .map(e => [e.getBoundingClientRect(), e.textContent]);
    for (let i = 0; i < words.length; i++) for (let j = 0; j < i; j++) {
      const [a, s] = words[i], [b, t] = words[j];
      if (Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 &&
          Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4) over = s + ' and ' + t;
    }
  }
  return JSON.stringify({over, now: [...document.querySelectorAll('.now')].filter(seen).length, pictures: document.querySelectorAll('svg').length,
    empty: [...document.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().height < 10 && s.offsetParent).length,
    wide: document.documentElement.scrollWidth, screen: innerWidth, text, drawn,
    high: document.documentElement.scrollHeight, title: document.title,
    steps: document.querySelectorAll('input[type=radio]').length});
})()"""

STATE = """(() => { const f = document.querySelector('.steps');
  const all = [...f.querySelectorAll('input')];
  const shown = [...f.querySelectorAll('svg g')].filter(g => getComputedStyle(g).visibility == 'visible');
  return JSON.stringify({chosen: all.findIndex(i => i.checked),
    shown: shown.map(g => g.getAttribute('class')).join(' ')}); })()"""


class Browser:
    def __init__(self, program):
        self.home = tempfile.mkdtemp()
        to_read, self.out = os.pipe()
        self.inp, to_write = os.pipe()
        # The browser reads file descriptor 3 and writes 4.
        script = f"exec 3<&{to_read} 4>&{to_write}; exec \"$@\""
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", program, "--headless", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--remote-debugging-pipe", "--disable-dev-shm-usage",
             f"--user-data-dir={self.home}", "about:blank"],
            pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.home})
        os.close(to_read)
        os.close(to_write)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None

    def read(self):
        while b"\0" not in self.buffer:
            more = os.read(self.inp, 1 << 20)
            if not more: raise EOFError
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session: message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def value(self, text):
        return json.loads(self.call("Runtime.evaluate", expression=text)["result"]["value"])

    def wait_for(self, method):
        for event in self.events:
            if event.get("method") == method: return
        while True:
            event = self.read()
            self.events.append(event)
            if event.get("method") == method: return

    def start(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"): self.call(domain + ".enable")

    def open(self, file, width):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=False)
        self.events = []
        self.url = "file://" + os.path.abspath(file)
        self.call("Page.navigate", url=self.url)
        self.wait_for("Page.loadEventFired")

    def press(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def troubles(self):
        for event in self.events:
            method, p = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown": yield "an exception"
            if method == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                yield p["entry"]["text"]
            if method == "Network.requestWillBeSent" and p["request"]["url"] != self.url:
                yield "a request for " + p["request"]["url"]

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


def check(browser, page, pictures, steps, width, shots):
    wrong = []
    browser.open(page, width)
    m = browser.value(MEASURE)
    if shots:
        name = os.path.join(shots, f"{os.path.basename(page)}.{width}.png")
        clip = {"x": 0, "y": 0, "width": width, "height": min(m["high"], 12000), "scale": 1}
        shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        open(name, "wb").write(base64.b64decode(shot["data"]))
    if m["pictures"] != pictures: wrong.append(f"{m['pictures']} pictures instead of {pictures}")
    if m["empty"]: wrong.append(f"{m['empty']} pictures of no height")
    if m["wide"] > m["screen"]: wrong.append(f"{m['wide']} pixels wide")
    if m["text"] < 12 or m["drawn"] < 8: wrong.append(f"letters of {m['text']} and {m['drawn']:.1f} pixels")
    if m["over"]: wrong.append(f"words on top of each other: {m['over']}")
    drawings = browser.value("JSON.stringify(document.querySelectorAll('.now.n0').length)")
    if m["now"] != (drawings if width < 700 else 0): wrong.append(f"{m['now']} captions of {drawings} drawings")
    if steps and m["steps"] < steps: wrong.append(f"{m['steps']} steps instead of {steps}")
    if steps:
        browser.call("Runtime.evaluate", expression="document.querySelector('.steps input').focus();"
                     "document.querySelector('.steps input').click()")
        first = browser.value(STATE)
        browser.press("ArrowRight", 39)
        second = browser.value(STATE)
        browser.press("ArrowLeft", 37)
        third = browser.value(STATE)
        if not (first["chosen"] == 0 and second["chosen"] == 1 and third == first):
            wrong.append(f"the arrow keys: {first}, {second}, {third}")
        if first["shown"] == second["shown"]: wrong.append("a step changes nothing that is seen")
    return wrong + list(browser.troubles())


def main():
    arguments, shots = sys.argv[2:], None
    if arguments[0] == "--shots": shots, arguments = arguments[1], arguments[2:]
    browser = Browser(sys.argv[1])
    try:
        browser.start()
    except (EOFError, OSError):
        print("the browser does not run here")
        return 77
    bad = 0
    for argument in arguments:
        page, pictures, *steps = argument.split(":")
        for width in (1280, 390):
            for wrong in check(browser, page, int(pictures), int(steps[0]) if steps else 0, width, shots):
                print(f"{page} at {width} pixels: {wrong}")
                bad += 1
    browser.close()
    return 1 if bad else 0


sys.exit(main())
