// wick, and beside it a plain nginx with the same headers of its own, each in front of a backend that records what it is sent.
import { ingress, serviceOn } from "../../../harness/manifests.ts"
import { type Nginx, startNginx } from "../../../harness/nginx.ts"
import { Recorder } from "../../support/recorder.ts"
import { Site } from "./site.ts"

export class BesideNginx implements AsyncDisposable {
  readonly site: Site
  readonly nginx: Nginx
  readonly behindWick: Recorder
  readonly behindNginx: Recorder

  private constructor(site: Site, nginx: Nginx, behindWick: Recorder, behindNginx: Recorder) {
    this.site = site
    this.nginx = nginx
    this.behindWick = behindWick
    this.behindNginx = behindNginx
  }

  /** @param listen parameters of the plain nginx's listener */
  static async start(listen = ""): Promise<BesideNginx> {
    await using started = new AsyncDisposableStack()
    const behindWick = started.use(await new Recorder().start())
    const behindNginx = started.use(await new Recorder().start())
    const site = started.use(await Site.start([]))
    await site.put(ingress("demo/app", "foo.test/ → app:80"), ...serviceOn("demo/app", [behindWick.port]))
    const nginx = await startNginx(({ port }) => ({
      http: `
map $http_upgrade $connection_upgrade { default upgrade; "" ""; }
server {
  listen 127.0.0.1:${port} ${listen};
  location / {
    proxy_pass http://127.0.0.1:${behindNginx.port};
    proxy_http_version 1.1;
    proxy_set_header Host $http_host;
    proxy_set_header Upgrade $http_upgrade;
    proxy_set_header Connection $connection_upgrade;
    proxy_set_header Proxy "";
  }
}`,
    }))
    started.move()
    return new BesideNginx(site, nginx, behindWick, behindNginx)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.nginx.stop()
    await this.site[Symbol.asyncDispose]()
    await this.behindWick[Symbol.asyncDispose]()
    await this.behindNginx[Symbol.asyncDispose]()
  }
}
