import { tried } from "./parts.js";

export default { fetch: async () => Response.json(await tried()) };
