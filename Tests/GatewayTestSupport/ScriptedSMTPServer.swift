import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
package import TestSupport

/// A mail server on loopback that answers as a test wants.
package final class ScriptedSMTPServer: Sendable {
    package struct Script: Sendable {
        /// The answers to EHLO, before and after the encryption.
        package var offers: [String]
        package var secureOffers: [String]
        /// Replies to a command, one for each time it arrives; then the usual one.
        package var replies: [String: [String]]
        package var isSecureFromTheStart: Bool
        /// Refuses every username and password but these, in the form of PLAIN.
        package var plain: String?

        package init(
            offers: [String] = ["8BITMIME", "SIZE 100000"],
            secureOffers: [String] = ["8BITMIME", "SIZE 100000", "AUTH PLAIN LOGIN"],
            replies: [String: [String]] = [:], isSecureFromTheStart: Bool = false, plain: String? = nil
        ) {
            (self.offers, self.secureOffers, self.replies) = (offers, secureOffers, replies)
            (self.isSecureFromTheStart, self.plain) = (isSecureFromTheStart, plain)
        }
    }

    private struct State {
        var script: Script
        var lines: [String] = []
        var mails: [String] = []
    }

    private let state: Mutex<State>
    private let tls: NIOSSLContext?
    private let channel = Mutex<(any Channel)?>(nil)

    /// - Parameters:
    ///   - script: what the server does.
    ///   - certificate: the certificate; `nil` for a server without encryption.
    ///   - host: the address to listen on.
    package init(_ script: Script = .init(), certificate: TestCertificate? = nil, host: String = "127.0.0.1")
        async throws
    {
        state = Mutex(State(script: script))
        tls = try certificate.map { certificate in
            try NIOSSLContext(
                configuration: .makeServerConfiguration(
                    certificateChain: try NIOSSLCertificate.fromPEMFile(certificate.certificatePath)
                        .map { .certificate($0) },
                    privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.keyPath, format: .pem))))
        }
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture {
                    if state.withLock({ $0.script.isSecureFromTheStart }), let tls {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try channel.pipeline.syncOperations.addHandler(Handler(server: self))
                }
            }
            .bind(host: host, port: 0).get()
        channel.withLock { $0 = listener }
    }

    package var port: Int { channel.withLock { $0?.localAddress?.port } ?? 0 }
    /// The commands of all connections.
    package var lines: [String] { state.withLock { $0.lines } }
    /// The mails that were accepted, as they were transmitted.
    package var mails: [String] { state.withLock { $0.mails } }

    package func close() async throws {
        try await channel.withLock { $0 }?.close().get()
    }

    fileprivate var encryption: NIOSSLServerHandler? { tls.map { NIOSSLServerHandler(context: $0) } }

    fileprivate func greeting() -> String { state.withLock { Self.take("", &$0) } ?? "220 test" }

    fileprivate func accepted(_ mail: String) -> String {
        state.withLock { state in
            let reply = Self.take(".", &state) ?? "250 2.0.0 queued"
            if reply.hasPrefix("2") { state.mails.append(mail) }
            return reply
        }
    }

    fileprivate func reply(to line: String, isSecure: Bool) -> String {
        state.withLock { state in
            state.lines.append(line)
            let verb = line.prefix { $0 != " " && $0 != ":" }.uppercased()
            if let reply = Self.take(verb, &state) { return reply }
            switch verb {
            case "EHLO":
                let offers = ["test"] + (isSecure ? state.script.secureOffers : state.script.offers)
                return offers.indices.map { "250\($0 == offers.count - 1 ? " " : "-")\(offers[$0])" }
                    .joined(separator: "\r\n")
            case "STARTTLS": return "220 go on"
            case "AUTH":
                guard let plain = state.script.plain else { return "235 2.7.0 ok" }
                return line == "AUTH PLAIN \(plain)" ? "235 2.7.0 ok" : "535 5.7.8 wrong"
            case "MAIL", "RCPT", "QUIT": return "250 ok"
            case "DATA": return "354 go on"
            default: return "500 unknown"
            }
        }
    }

    private static func take(_ verb: String, _ state: inout State) -> String? {
        guard let replies = state.script.replies[verb], let reply = replies.first else { return nil }
        state.script.replies[verb] = Array(replies.dropFirst())
        return reply
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let server: ScriptedSMTPServer
        private var received = ""
        private var isData = false
        private var isSecure: Bool

        init(server: ScriptedSMTPServer) {
            self.server = server
            isSecure = server.state.withLock { $0.script.isSecureFromTheStart }
        }

        func channelActive(context: ChannelHandlerContext) { write(server.greeting(), context) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received += String(buffer: unwrapInboundIn(data))
            while let end = received.range(of: isData ? "\r\n.\r\n" : "\r\n") {
                let text = String(received[..<end.lowerBound])
                received = String(received[end.upperBound...])
                if isData {
                    isData = false
                    write(server.accepted(text), context)
                } else {
                    answer(text, context)
                }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func answer(_ line: String, _ context: ChannelHandlerContext) {
            let reply = server.reply(to: line, isSecure: isSecure)
            guard reply != "close" else { return context.close(promise: nil) }
            write(reply, context)
            if line == "DATA", reply.hasPrefix("354") { isData = true }
            if line == "STARTTLS", reply.hasPrefix("220"), let encryption = server.encryption {
                isSecure = true
                try? context.pipeline.syncOperations.addHandler(encryption, position: .before(self))
            }
        }

        private func write(_ text: String, _ context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "\(text)\r\n")), promise: nil)
        }
    }
}
