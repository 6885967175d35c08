// Whom a handshake stands for, where all hosts have one server block.
import { clientsOfHosts } from "./support/clients-of-hosts.ts"

clientsOfHosts()
