import Foundation
import NIOCore
package import NIOSSL
import Synchronization

/// A certificate with its key, from files that may be replaced while the server runs, as certbot does.
package final class TLSIdentity: Sendable {
    private let certificatePath: String
    private let keyPath: String
    private let applicationProtocols: [String]
    private let state: Mutex<State>

    private struct State {
        var context: NIOSSLContext
        var stamps: [FileStamp?]
        /// Files that were tried and cannot be used: not tried again until they change.
        var refusedStamps: [FileStamp?]?
    }

    private struct FileStamp: Hashable {
        var modifiedAt: Date
        var byteCount: Int
        var number: UInt64
    }

    /// Of TLS 1.2: with forward secrecy, as Apple's authoring specification asks (12.1), and none that HTTP/2 forbids
    /// (RFC 9113, Appendix A). Those of TLS 1.3 are all of that kind.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    /// For a client's answer to the farewell; most give none, and a server that stops has little time.
    private static let closingTimeout = TimeAmount.seconds(1)

    /// Reads both files.
    ///
    /// - Parameters:
    ///   - certificatePath: PEM; the server's own certificate first, then those that lead to a root.
    ///   - keyPath: PEM.
    ///   - applicationProtocols: what ALPN offers, in order of preference.
    /// - Throws: ``TLSIdentityError``
    package init(certificatePath: String, keyPath: String, applicationProtocols: [String] = []) throws(TLSIdentityError)
    {
        self.certificatePath = certificatePath
        self.keyPath = keyPath
        self.applicationProtocols = applicationProtocols
        let stamps = Self.stamps(certificatePath, keyPath)
        state = Mutex(
            State(
                context: try Self.makeContext(certificatePath, keyPath, applicationProtocols), stamps: stamps))
    }

    /// For the next connection: from the files as they are now. Where they cannot be used, from those before, and
    /// `onFailure` is told, once for each state of the files.
    package func context(onFailure: (TLSIdentityError) -> Void) -> NIOSSLContext {
        let stamps = Self.stamps(certificatePath, keyPath)
        return state.withLock { state in
            guard stamps != state.stamps, stamps != state.refusedStamps else { return state.context }
            do throws(TLSIdentityError) {
                state.context = try Self.makeContext(certificatePath, keyPath, applicationProtocols)
                state.stamps = stamps
                state.refusedStamps = nil
            } catch {
                state.refusedStamps = stamps
                onFailure(error)
            }
            return state.context
        }
    }

    private static func makeContext(
        _ certificatePath: String, _ keyPath: String, _ applicationProtocols: [String]
    ) throws(TLSIdentityError) -> NIOSSLContext {
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(certificatePath)
        } catch {
            throw TLSIdentityError(path: certificatePath, reason: "no certificate in PEM form can be read from it")
        }
        guard !certificates.isEmpty else {
            throw TLSIdentityError(path: certificatePath, reason: "there is no certificate in it")
        }
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
        } catch {
            throw TLSIdentityError(path: keyPath, reason: "no private key in PEM form can be read from it")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = cipherSuites
        configuration.shutdownTimeout = closingTimeout
        configuration.applicationProtocols = applicationProtocols
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TLSIdentityError(path: keyPath, reason: "it does not belong to the certificate in \(certificatePath)")
        }
    }

    private static func stamps(_ paths: String...) -> [FileStamp?] {
        paths.map { path in
            // As often as connections come, which is what a look at two files costs too little to avoid.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let date = attributes[.modificationDate] as? Date
            else { return nil }
            return FileStamp(
                modifiedAt: date, byteCount: (attributes[.size] as? Int) ?? 0,
                number: (attributes[.systemFileNumber] as? UInt64) ?? 0)
        }
    }
}

/// A certificate or key that cannot be used, and why.
package struct TLSIdentityError: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package var description: String { "\(path): \(reason)" }
}
