import { http } from "./http";
import { start } from "./start";

start(http);
