import CLibSRT
package import NIOCore

/// A listener of ``SRTEngine``.
package final class SRTListener: Sendable {
    /// A caller that wants to connect.
    package struct Request: Sendable {
        package let streamID: String
        package let peer: SocketAddress?
    }

    package enum Answer: Sendable {
        case accepted(SRTOptions)
        case refused(SRTRefusalReason)
    }

    let socket: SRTSOCKET
    /// The address at which it listens.
    package let address: SocketAddress
    private let functions: AntenaSRTFunctions
    private let decide: @Sendable (Request) -> Answer
    let onConnection: @Sendable (SRTConnection) -> Void

    init(
        _ socket: SRTSOCKET, address: SocketAddress, functions: AntenaSRTFunctions,
        decide: @escaping @Sendable (Request) -> Answer, onConnection: @escaping @Sendable (SRTConnection) -> Void
    ) {
        (self.socket, self.address, self.functions) = (socket, address, functions)
        (self.decide, self.onConnection) = (decide, onConnection)
    }

    /// Answers before there is a connection. Called on a thread of libsrt, so it must not wait.
    func answer(_ socket: SRTSOCKET, _ request: Request) -> CInt {
        switch decide(request) {
        case .refused(let reason):
            _ = functions.srt_setrejectreason(socket, reason.code)
            return -1
        case .accepted(let options):
            return functions.set(options, of: socket) ? 0 : -1
        }
    }
}
