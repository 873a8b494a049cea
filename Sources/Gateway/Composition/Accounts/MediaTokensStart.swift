import AsyncHTTPClient
import Foundation
package import Logging
import LogMetadata
package import MediaAccess
import MediaCore
import NIOCore
import NIOHTTP1
import OutgoingHTTP
package import ServerSettings
import WebTokens

/// Loads the keys of viewers' tokens when the server starts.
package struct MediaTokensStart {
    private let configuration: MediaTokenConfiguration
    private let logger: Logger

    /// - Parameters:
    ///   - configuration: where the keys are.
    ///   - logger: receives what becomes of them.
    package init(configuration: MediaTokenConfiguration, logger: Logger) {
        (self.configuration, self.logger) = (configuration, logger)
    }

    /// Viewers with a new key wait for it.
    static let exchange = BoundedExchange(
        timeLimit: .seconds(10), maximumByteCount: TokenKey.maximumSetByteCount)

    /// - Throws: `ServerStartError` if a file cannot be read or has no key.
    package func open() async throws -> MediaTokens {
        var fixed: [TokenKey] = []
        if let file = configuration.secretFile {
            fixed.append(
                try await checked(file) {
                    try await TokenKey.secret(Self.trimmed(try Self.read(file)))
                })
        }
        var fetch: (@Sendable () async throws -> [UInt8])?
        if let keys = configuration.keys {
            if configuration.areKeysRemote {
                fetch = { [logger] in try await Self.fetch(keys, logger) }
            } else {
                fixed += try await checked(keys) { try await TokenKey.set(try Self.read(keys)) }
            }
        }
        return MediaTokens(
            TokenVerifier(issuer: configuration.issuer, audience: configuration.audience),
            TokenKeySource(fixed: fixed, fetch: fetch))
    }

    private func checked<Result>(_ file: String, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as TokenError {
            throw ServerStartError("\(file): \(error.reason)")
        } catch {
            throw ServerStartError("\(file): cannot be read: \(FileErrorText(error))")
        }
    }

    private static func read(_ file: String) throws -> [UInt8] {
        let handle = try FileHandle(forReadingFrom: URL(filePath: file))
        defer { try? handle.close() }
        return Array(try handle.read(upToCount: TokenKey.maximumSetByteCount + 1) ?? Data())
    }

    /// The secret without the line end that editors write after it.
    private static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
        Array(bytes.reversed().drop { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.reversed())
    }

    /// Fetches a set of keys.
    static func fetch(
        _ url: String, _ logger: Logger, exchange: BoundedExchange = exchange
    ) async throws -> [UInt8] {
        do {
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: HTTPClient.Configuration(redirectConfiguration: .disallow))
            return try await withShutdown(client) {
                let answer = try await exchange.answer(to: HTTPClientRequest(url: url), by: client)
                guard answer.status == .ok else { throw KeysNotThere(status: Int(answer.status.code)) }
                return Array(answer.body.readableBytesView)
            }
        } catch {
            guard !Task.isCancelled else { throw error }
            logger.warning("viewer token keys could not be fetched; will retry", metadata: [.error: "\(error)"])
            throw error
        }
    }

    private static func withShutdown<Result: Sendable>(
        _ client: HTTPClient, _ body: () async throws -> Result
    ) async throws -> Result {
        do {
            let result = try await body()
            try await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    private struct KeysNotThere: Error, CustomStringConvertible {
        var status: Int
        var description: String { "the server answered with HTTP \(status)" }
    }
}
