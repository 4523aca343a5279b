import { writeFileSync } from "node:fs";
import { tried } from "./parts.js";

test("samplez", async () => {
  writeFileSync("result.json", JSON.stringify(await tried()));
}, 300_000);
