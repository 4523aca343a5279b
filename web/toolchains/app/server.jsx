import { tried } from "../../parts.js";

export const dynamic = "force-dynamic";

export default async function Server() {
  return <pre>{`RESULT ${Buffer.from(JSON.stringify(await tried())).toString("hex")} `}</pre>;
}
