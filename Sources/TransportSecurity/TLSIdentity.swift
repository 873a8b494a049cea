import Foundation
package import MediaCore
import NIOCore
package import NIOSSL
import Synchronization

/// A TLS certificate and its private key, loaded from files that may be replaced while the server runs, as certbot
/// does.
package final class TLSIdentity: Sendable {
    private let certificatePath: String
    private let keyPath: String
    private let applicationProtocols: [String]
    private let state: Mutex<State>

    private struct State {
        var context: NIOSSLContext
        var stamps: [FileStamp?]
        /// Stamps of files that were tried and cannot be used; they are not tried again until they change.
        var refusedStamps: [FileStamp?]?
    }

    private struct FileStamp: Hashable {
        var modifiedAt: Date
        var byteCount: Int
        var number: UInt64
    }

    /// Cipher suites for TLS 1.2: all have forward secrecy (HLS Authoring Specification 12.1), and HTTP/2 prohibits
    /// none of them (RFC 9113, Appendix A). All suites of TLS 1.3 meet both conditions.
    private static let cipherSuites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384, .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256, .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]
    /// Time to wait for the peer's close_notify. Most clients do not send one, and a server that shuts down has
    /// little time.
    private static let closingTimeout = Duration.seconds(1)

    /// Reads both files.
    ///
    /// - Parameters:
    ///   - certificatePath: PEM file; the server's own certificate first, then the intermediate certificates.
    ///   - keyPath: PEM file with the private key.
    ///   - applicationProtocols: protocols to offer with ALPN, in order of preference.
    /// - Throws: ``TLSIdentityError`` if a file cannot be used.
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

    /// The TLS context for the next connection. Reloads the files if they have changed. If the new files cannot be
    /// used, the previous context stays in use and `onFailure` is called, once per state of the files.
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

    /// The time at which the first certificate of a chain expires.
    ///
    /// - Parameter certificatePath: PEM file; the server's own certificate first, then the intermediate certificates.
    /// - Throws: ``TLSIdentityError`` if the file cannot be read.
    package static func expiryTime(ofCertificatesAt certificatePath: String) throws(TLSIdentityError) -> WallClockTime {
        let times = try certificates(certificatePath).map { Int64($0.notValidAfter) }
        return WallClockTime(secondsSince1970: times.min() ?? 0)
    }

    private static func certificates(_ path: String) throws(TLSIdentityError) -> [NIOSSLCertificate] {
        let certificates: [NIOSSLCertificate]
        do {
            certificates = try NIOSSLCertificate.fromPEMFile(path)
        } catch {
            throw TLSIdentityError(path: path, reason: "cannot read a certificate in PEM format from this file")
        }
        guard !certificates.isEmpty else {
            throw TLSIdentityError(path: path, reason: "the file does not contain a certificate")
        }
        return certificates
    }

    private static func makeContext(
        _ certificatePath: String, _ keyPath: String, _ applicationProtocols: [String]
    ) throws(TLSIdentityError) -> NIOSSLContext {
        let certificates = try certificates(certificatePath)
        let key: NIOSSLPrivateKey
        do {
            key = try NIOSSLPrivateKey(file: keyPath, format: .pem)
        } catch {
            throw TLSIdentityError(path: keyPath, reason: "cannot read a private key in PEM format from this file")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key))
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = cipherSuites
        configuration.shutdownTimeout = TimeAmount(closingTimeout)
        configuration.applicationProtocols = applicationProtocols
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw TLSIdentityError(
                path: keyPath, reason: "the key does not belong to the certificate in \(certificatePath)")
        }
    }

    private static func stamps(_ paths: String...) -> [FileStamp?] {
        paths.map { path in
            // Called for each connection; reading the attributes of two files is too cheap to avoid.
            guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
                let date = attributes[.modificationDate] as? Date
            else { return nil }
            return FileStamp(
                modifiedAt: date, byteCount: (attributes[.size] as? Int) ?? 0,
                number: (attributes[.systemFileNumber] as? UInt64) ?? 0)
        }
    }
}
