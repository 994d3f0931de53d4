// The workers of the studio without a server. Each is a process of its own: it learns a recipe when it is first asked about it.

import type { Answered, Asked } from "./messages";

/** A worker whose request was cancelled may finish, since it holds recipes; after this time in milliseconds it is replaced. */
const PATIENCE = 400;

export interface Request extends Omit<Asked, "start"> {
  /** The identifier of the recipe that it is about, and that recipe's text. */
  recipe: { id: string; text: string } | null;
  /** 0 before 1 before 2. */
  order: number;
  signal: AbortSignal | null;
}

interface Call {
  request: Request;
  resolve(answered: Answered): void;
  reject(reason: unknown): void;
}

interface Seat {
  worker: Worker | null;
  knows: Set<string>;
  call: Call | null;
}

export class Workers {
  private readonly seats: Seat[];
  private waiting: Call[] = [];

  constructor(size: number, private readonly start: () => Worker, private readonly first: NonNullable<Asked["start"]>) {
    this.seats = Array.from({ length: size }, () => ({ worker: null, knows: new Set(), call: null }));
  }

  ask(request: Request): Promise<Answered> {
    return new Promise((resolve, reject) => {
      const call: Call = { request, resolve, reject };
      request.signal?.addEventListener("abort", () => this.cancel(call), { once: true });
      const at = this.waiting.findIndex((other) => other.request.order > request.order);
      this.waiting.splice(at < 0 ? this.waiting.length : at, 0, call);
      this.next();
    });
  }

  private cancel(call: Call): void {
    call.reject(new DOMException("cancelled", "AbortError"));
    this.waiting = this.waiting.filter((other) => other !== call);
    const seat = this.seats.find((seat) => seat.call === call);
    if (seat) setTimeout(() => seat.call === call && this.vacate(seat), PATIENCE);
  }

  private vacate(seat: Seat): void {
    seat.worker?.terminate();
    Object.assign(seat, { worker: null, knows: new Set(), call: null });
    this.next();
  }

  private next(): void {
    // Preferably a worker that has read the recipe already.
    for (const call of [...this.waiting]) {
      const free = this.seats.filter((seat) => !seat.call);
      const seat = free.find((seat) => !call.request.recipe || seat.knows.has(call.request.recipe.id)) ?? free[0];
      if (!seat) return;
      this.waiting = this.waiting.filter((other) => other !== call);
      seat.call = call;
      void this.run(seat, call).then(
        (answered) => call.resolve(answered),
        (error: unknown) => {
          call.reject(error);
          if (seat.call === call) this.vacate(seat);
        },
      ).finally(() => {
        if (seat.call === call) seat.call = null;
        this.next();
      });
    }
  }

  private async run(seat: Seat, { request }: Call): Promise<Answered> {
    const { method, path, query, body, recipe } = request;
    if (recipe && !seat.knows.has(recipe.id)) {
      await this.send(seat, { method: "POST", path: "/api/check", query: "", body: JSON.stringify({ text: recipe.text }) });
      seat.knows.add(recipe.id);
    }
    return this.send(seat, { method, path, query, body });
  }

  private send(seat: Seat, asked: Asked): Promise<Answered> {
    const fresh = !seat.worker;
    const worker = (seat.worker ??= this.start());
    return new Promise((resolve, reject) => {
      worker.onmessage = (event: MessageEvent<Answered>) => resolve(event.data);
      // A module that stopped (its memory is full, say) cannot go on: the worker is replaced.
      worker.onerror = (event) => reject(new Error(`the worker stopped: ${event.message || "it could not be started"}`));
      worker.postMessage(fresh ? { ...asked, start: this.first } : asked);
    });
  }
}
