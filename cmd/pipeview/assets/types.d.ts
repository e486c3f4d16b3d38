// The documents of package view (Go), and what the page's scripts share.

declare namespace View {
  interface Factor { loop: number; factor: number }

  interface Request {
    builtin?: string; example?: string; file?: string; text?: string; files?: { [name: string]: string };
    kernel?: string; defines?: string[]; local?: string; global?: string; groups?: string; args?: string[];
    dynamic_local?: number; compiler?: string; unroll?: Factor[];
    devices?: string[]; issue?: string; scheduler?: string; issue_limit?: string;
    unit_groups?: number; concurrent?: number; rules?: string[]; page?: boolean;
    brief?: boolean;
  }

  interface Diagnostic {
    severity: "error" | "warning" | "note"; code: string; file?: string; line?: number; column?: number;
    message: string; notes?: string[];
  }

  interface Loop {
    file?: string; line: number; column: number; kind: string; depth: number; condition?: string; pragma?: string;
    chosen?: number; trips: number | null; origin?: string; factor?: number; fully_unrolled: boolean;
    remainder: number; reason?: string;
  }

  interface Launch { local: number[]; groups: number[]; text: string }

  interface Argument { name: string; type: string; value?: string }

  /** As of "pipesim --format json". */
  type Report = Page.Document;

  interface Device {
    name: string; title: string; kernel: string; launch?: Launch; arguments: Argument[]; loops: Loop[];
    report?: Report; page?: Page.Data;
  }

  interface Response {
    diagnostics: Diagnostic[]; kernels: { name: string; line: number }[]; devices: Device[]; error?: string;
  }

  interface Kernel { name: string; summary: string; file: string; kernel: string; defines: string[]; text: string }

  interface Catalogue {
    kernels: Kernel[]; first: number; devices: { name: string; title: string }[]; default: string; issue: string[];
    schedulers: string[]; max_text: number; sources: { file: string; text: string }[];
  }

  /** Makes predictions: a server, or a worker of the browser. */
  interface Engine {
    /**
     * Shows the answer: first the numbers, then with the page, then with what to change. Ends with false where it was
     * cancelled, or a newer request took its place.
     */
    evaluate(request: Request, show: (answer: Response) => void): Promise<boolean>;
    /** Ends the request that runs, if one does. */
    cancel(): void;
  }
}

/** Of catalogue.js. */
declare const catalogue: View.Catalogue;
