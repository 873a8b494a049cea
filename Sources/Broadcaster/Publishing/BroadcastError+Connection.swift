import NIOCore
import NIOPosix
import NIOSSL
import RTSPProtocol

/// Human-readable errors of connections.
extension BroadcastError {
    /// Creates an error for a connection that could not be made.
    ///
    /// - Parameter error: The error of connecting.
    init(connecting error: any Error, to target: PushTarget) {
        let hint =
            "is the server running, and is this its RTSP port (Antena's default is \(PushTarget.defaultPort))? "
            + "use --rtsp \(target.isSecure ? "rtsps" : "rtsp")://HOST:PORT for another one"
        switch error {
        case let error as NIOConnectionError where error.connectionErrors.isEmpty:
            self.init(.unreachable, "cannot resolve the host name \(target.host)")
        case let error as NIOConnectionError:
            let isRefused = error.connectionErrors.allSatisfy { ($0.error as? IOError)?.errnoCode == ECONNREFUSED }
            self.init(
                .unreachable,
                isRefused
                    ? "nothing listens at \(target.endpoint); \(hint)" : "\(target.endpoint) cannot be reached; \(hint)"
            )
        case ChannelError.connectTimeout:
            self.init(
                .unreachable, "\(target.endpoint) does not answer; check the address, and any firewalls in between")
        default: self.init(.unreachable, "\(target.endpoint) cannot be reached: \(Self.words(error))")
        }
    }

    /// Creates an error for a connection that was closed.
    ///
    /// - Parameter error: Why the connection was closed; `nil` if the server closed it.
    init(closing error: (any Error)?, target: PushTarget) {
        switch error {
        case let error as PushConnectionHandler.ForeignProtocol: self.init(error, target: target)
        case is NIOSSLError, is NIOSSLExtraError: self.init(secure: error, target: target)
        case let error as RTSPParsingError:
            self.init(.notRTSP, "\(target.endpoint) answers, but not with RTSP: \(error)")
        case let error?:
            self.init(.connectionLost, "the connection to \(target.endpoint) broke: \(Self.words(error))")
        case nil: self.init(.connectionLost, "\(target.endpoint) closed the connection")
        }
    }

    private init(_ error: PushConnectionHandler.ForeignProtocol, target: PushTarget) {
        let port = "RTSP has a port of its own (Antena's default is \(PushTarget.defaultPort))"
        switch error {
        case .http: self.init(.notRTSP, "\(target.endpoint) speaks HTTP; \(port)")
        case .unknown(let beginning):
            let shown = beginning.isEmpty ? "" : " (\"\(beginning)\")"
            self.init(.notRTSP, "\(target.endpoint) answers with something other than RTSP\(shown); \(port)")
        case .nothing:
            self.init(
                .notRTSP,
                "\(target.endpoint) closed the connection without an answer; "
                    + (target.isSecure ? "does it speak RTSPS there?" : "is this its RTSP port, without TLS?")
            )
        }
    }

    private init(secure error: (any Error)?, target: PushTarget) {
        let detail = error.map { "\($0)" } ?? ""
        if detail.contains("WRONG_VERSION_NUMBER") {
            self.init(
                .notRTSP,
                "\(target.endpoint) does not speak TLS; write rtsp:// for this port, or give the port for rtsps://")
        } else if detail.contains("CERTIFICATE_VERIFY_FAILED") || error is NIOSSLExtraError {
            self.init(
                .certificate,
                "the certificate of \(target.endpoint) is not trusted, or is not for \(target.host); name the "
                    + "authority that signed it with --certificates, or accept any with --any-certificate")
        } else {
            self.init(.certificate, "cannot establish a secure connection to \(target.endpoint): \(detail)")
        }
    }

    /// The system's description of a system error; the error's own description otherwise.
    static func words(_ error: any Error) -> String {
        (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
    }
}
