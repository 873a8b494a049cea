/// Direction attribute (RFC 8866 §6.7). Publishers disagree on whose point of view it states (libstreaming announces
/// `recvonly`), so a server that records must not decide anything by it.
package enum SDPDirection: String, Sendable, Hashable, CaseIterable {
    case sendReceive = "sendrecv"
    case sendOnly = "sendonly"
    case receiveOnly = "recvonly"
    case inactive
}
