// The network of a node: addresses that Pods and Services have, and a network namespace for each Pod. It is set up in the network that
// build/network.sh makes. Test files run there at the same time, so each has a node of its own, with ranges of its own.
import { execFileSync } from "node:child_process"

const number = Number(process.env.VITEST_POOL_ID ?? 0)

/** The node itself, as Pods and clients see it. */
export const nodeAddress = `10.97.${number}.1`
/** Addresses of Services. */
export const serviceRange = `10.96.${number}.0/24`
/** Addresses that a cloud's load balancers may have, in front of the node. */
export const balancerRange = `10.98.${number}.0/24`
/** Where Pods find the API server: the first address of that range. */
export const apiAddress = `10.96.${number}.1`
/** Of nftables. */
export const tableName = `node-${number}`

/** Packets to a Service leave as if for the loopback device; the rules of services.ts lead them elsewhere before they get there. */
export function setUpNode(): void {
  shell(`
    ip address replace ${nodeAddress}/32 dev lo
    for range in ${serviceRange} ${balancerRange}; do ip route replace $range dev lo src ${nodeAddress}; done
    echo 1 >/proc/sys/net/ipv4/ip_forward
  `)
}

/** One of `balancerRange`. @param place 1..254 */
export function balancerAddress(place: number): string {
  return `10.98.${number}.${place}`
}

/** An address of a Pod. @param place 1..254 */
export function podAddress(place: number): string {
  return `10.245.${number}.${place}`
}

/** Gives the network namespace of the process a device with this address, and a way to the node and everything else. */
export function connectPod(pid: number, place: number): void {
  const device = deviceOf(place)
  const address = podAddress(place)
  const inside = `nsenter --target ${pid} --net ip`
  const gateway = "169.254.1.1"
  shell(`
    ip link add ${device} address ${outer} type veth peer name eth0 address ${inner} netns ${pid}
    ip link set ${device} up
    ip route add ${address}/32 dev ${device} src ${nodeAddress}
    ip neighbour add ${address} lladdr ${inner} dev ${device} nud permanent
    ${inside} link set lo up
    ${inside} link set eth0 up
    ${inside} address add ${address}/32 dev eth0
    ${inside} route add ${gateway} dev eth0 scope link
    ${inside} route add default via ${gateway} dev eth0 src ${address}
    ${inside} neighbour add ${gateway} lladdr ${outer} dev eth0 nud permanent
  `)
}

/** Nothing reaches it any more, whatever still runs there. */
export function disconnectPod(place: number): void {
  shell(`ip link delete ${deviceOf(place)} || true`)
}

/** The same on every pair: they never meet. */
const outer = "ee:ee:ee:ee:ee:ee"
const inner = "ee:ee:ee:ee:ee:01"

function deviceOf(place: number): string {
  return `pod-${number}-${place}`
}

/** @param input for the first of these commands that reads any */
export function shell(script: string, input = ""): void {
  execFileSync("sh", ["-ec", script], { input, stdio: ["pipe", "ignore", "pipe"] })
}
