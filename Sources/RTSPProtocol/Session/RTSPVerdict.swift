/// The owner's verdict on a request.
package enum RTSPVerdict: Hashable, Sendable {
    case accepted
    case refused(RTSPRefusal)
}
