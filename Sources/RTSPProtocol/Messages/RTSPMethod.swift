/// An RTSP method (RFC 2326 §10). Methods are case-sensitive, and unknown ones are answered instead of being rejected
/// by the parser.
package struct RTSPMethod: Hashable, Sendable, CustomStringConvertible {
    package let rawValue: String

    package init(_ rawValue: String) { self.rawValue = rawValue }

    package static let options = RTSPMethod("OPTIONS")
    package static let describe = RTSPMethod("DESCRIBE")
    package static let announce = RTSPMethod("ANNOUNCE")
    package static let setup = RTSPMethod("SETUP")
    package static let play = RTSPMethod("PLAY")
    package static let record = RTSPMethod("RECORD")
    package static let pause = RTSPMethod("PAUSE")
    package static let getParameter = RTSPMethod("GET_PARAMETER")
    package static let setParameter = RTSPMethod("SET_PARAMETER")
    package static let redirect = RTSPMethod("REDIRECT")
    package static let teardown = RTSPMethod("TEARDOWN")

    package var description: String { rawValue }
}
