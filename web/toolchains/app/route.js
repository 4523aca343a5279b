import { tried } from "../../parts.js";

export const dynamic = "force-dynamic";

export const GET = async () => Response.json(await tried());
