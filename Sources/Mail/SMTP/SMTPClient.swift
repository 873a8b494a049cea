import MediaCore
package import NIOCore
import NIOPosix
import NIOSSL

/// Hands mail to a server (RFC 5321), one connection for each.
package struct SMTPClient: MailTransport {
    private let address: SMTPServerAddress
    private let credential: SMTPCredential?
    private let helloName: String
    private let timeouts: SMTPTimeouts
    private let group: any EventLoopGroup
    /// `nil` for a connection that is never encrypted.
    private let tls: NIOSSLContext?

    /// Reads the trusted certificates.
    ///
    /// - Parameters:
    ///   - address: the server.
    ///   - credential: the username and the password; `nil` for a server that asks for none.
    ///   - helloName: the name of this machine, such as the host of the site's address.
    ///   - timeouts: the time that each step may take.
    ///   - group: the event loops of the connections.
    /// - Throws: ``SMTPError`` with `tlsFailed` if the file with the trusted certificates cannot be used.
    package init(
        address: SMTPServerAddress, credential: SMTPCredential?, helloName: String, timeouts: SMTPTimeouts = .init(),
        group: any EventLoopGroup
    ) throws(SMTPError) {
        (self.address, self.credential, self.timeouts, self.group) = (address, credential, timeouts, group)
        self.helloName = Self.introduction(helloName)
        tls = address.security == .none ? nil : try Self.context(address)
    }

    package func deliver(_ mail: OutgoingMail) async throws {
        let eventLoop = group.next()
        let result = eventLoop.makePromise(of: Void.self)
        let connection = bootstrap(mail, on: eventLoop, result).connect(host: address.host, port: address.port)
        connection.whenFailure { error in
            result.fail(SMTPError(.connectionFailed, .connection, detail: Self.detail(error)))
        }
        connection.whenSuccess { channel in
            result.futureResult.whenComplete { _ in channel.close(promise: nil) }
        }
        try await withTaskCancellationHandler {
            try await result.futureResult.get()
        } onCancel: {
            result.fail(CancellationError())
        }
    }

    private func bootstrap(
        _ mail: OutgoingMail, on eventLoop: any EventLoop, _ result: EventLoopPromise<Void>
    ) -> ClientBootstrap {
        let (address, credential, helloName, timeouts) = (address, credential, helloName, timeouts)
        let encryption = encryption
        return ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeouts.connection))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if address.security == .implicitTLS, let encryption {
                        try channel.pipeline.syncOperations.addHandler(encryption())
                    }
                    try channel.pipeline.syncOperations.addHandler(
                        SMTPHandler(encryption: encryption, timeouts: timeouts, result: result) { isLocal in
                            SMTPConversation(
                                mail, helloName: helloName, security: address.security, credential: credential,
                                isLocal: isLocal)
                        })
                }
            }
    }

    private var encryption: SMTPHandler.Encryption? {
        guard let tls else { return nil }
        let name = address.certificateName
        return { try NIOSSLClientHandler(context: tls, serverHostname: name) }
    }

    /// Why there is no connection, such as "connection refused"; the name of the server is not repeated.
    private static func detail(_ error: any Error) -> String {
        guard let error = error as? NIOConnectionError else { return "\(error)" }
        if let failure = error.connectionErrors.first { return "\(failure.error)" }
        return (error.dnsAError ?? error.dnsAAAAError).map { "\($0)" } ?? "no address"
    }

    /// RFC 5321 §4.1.1.1: a name, or an address in brackets.
    private static func introduction(_ name: String) -> String {
        let name = name.filter { $0 != "[" && $0 != "]" }
        switch try? SocketAddress(ipAddress: name, port: 0) {
        case .v4: return "[\(name)]"
        case .v6: return "[IPv6:\(name)]"
        default: break
        }
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-") || SMTPReply.isDigit(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            }
        return isName ? name : "localhost"
    }

    private static func context(_ address: SMTPServerAddress) throws(SMTPError) -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        if let path = address.certificatesPath { configuration.trustRoots = .file(path) }
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw SMTPError(
                .tlsFailed, .connection,
                detail:
                    "\(address.certificatesPath ?? "the system's store") cannot be read, or holds no certificates in PEM format"
            )
        }
    }
}
