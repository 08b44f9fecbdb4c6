// Walks pages in Firefox by WebDriver BiDi and prints a report as JSON. Arguments: Firefox, address of the service,
// folder with node_modules, paths.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [firefox, service, folder, ...paths] = process.argv.slice(2);
const module = createRequire(folder + "/").resolve("puppeteer-core");
const puppeteer = (await import(pathToFileURL(module))).default;
const browser = await puppeteer.launch({ browser: "firefox", executablePath: firefox, headless: true });
const page = await browser.newPage();
const report = { faults: [], foreign: [], pages: {} };
page.on("pageerror", (error) => report.faults.push(error.message));
page.on("console", (line) => line.type() === "error" && report.faults.push(line.text()));
page.on("request", (request) => /^(data|blob):/.test(request.url()) || request.url().startsWith(service) || report.foreign.push(request.url()));
try {
  for (const width of [320, 1280]) {
    await page.setViewport({ width, height: 900 });
    for (const path of paths) {
      const answer = await page.goto(service + path);
      // Firefox logs files that a page stores (pocket.js) as failed if the page is left before they arrive.
      await page.waitForFunction(async () => {
        const manifest = document.querySelector("link[rel=manifest]");
        return !document.querySelector("[data-waits]") || !!(await caches.match(manifest.href.replace("manifest.webmanifest", "saved")));
      });
      const properties = await page.evaluate(() => ({ title: document.title, h1: document.querySelectorAll("h1").length, wide: document.documentElement.scrollWidth, worker: !!navigator.serviceWorker.controller }));
      report.pages[`${width} ${path}`] = { status: answer.status(), ...properties };
    }
  }
  await page.goto(service + "/");
  await page.type("#q", "sallem", { delay: 30 });
  // Suggestions for the first letters may come before those for the whole word.
  report.suggested = await page.waitForFunction(() => {
    const text = document.querySelector("#places [role=option]")?.textContent;
    return text?.startsWith("Sal") && text;
  }).then((text) => text.jsonValue());
  await page.goto(service + "/es/place/101");
  await (await page.waitForSelector("[data-save] button")).click();
  await page.waitForSelector("[data-save] a", { visible: true });
  await page.goto(service + "/es/saved");
  report.saved = await page.waitForSelector("#place article .state").then((part) => part.evaluate((one) => one.textContent));
} finally {
  await browser.close();
}
console.log(JSON.stringify(report));
