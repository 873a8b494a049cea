import AsyncHTTPClient
import Foundation
package import Logging
package import MediaCore
import NIOCore
import NIOHTTP1
package import NIOPosix
import OutgoingHTTP
import Synchronization
import XMLDocument

/// A ``MediaStore`` in a bucket of an S3-compatible object store.
///
/// Every body is sent with its SHA-256 in the signature and its MD5 in Content-MD5, so that the store refuses what
/// arrives damaged. `UNSIGNED-PAYLOAD` would save one of two passes over a file that is in the page cache by then; it
/// is not used. Neither are ACLs and checksums in trailers, which many stores lack.
package final class ObjectStore: MediaStore {
    package let address: ObjectStoreAddress
    let settings: ObjectStoreSettings
    let threads: NIOThreadPool
    let logger: Logger
    private let credentials: CredentialSource
    private let wallClock: WallClock
    private let client: HTTPClient
    /// Waits longer for answers.
    private let patientClient: HTTPClient
    private let slots: RequestSlots
    private let uploadSlots: RequestSlots
    private let counters = Mutex(ObjectStoreStatistics())

    /// Limit on the body of an answer that is not an object.
    static let maximumAnswerByteCount = XMLReader.maximumByteCount

    /// Creates a store and connects to nothing yet. ``shutDown()`` must be called before the last reference goes.
    ///
    /// - Parameters:
    ///   - address: The bucket.
    ///   - credentials: Provides the credentials.
    ///   - threads: Running threads, on which files are read.
    ///   - settings: Limits and time-outs.
    ///   - wallClock: The time in signatures.
    ///   - logger: Gets a line for a failed try.
    package init(
        address: ObjectStoreAddress, credentials: CredentialSource, threads: NIOThreadPool,
        settings: ObjectStoreSettings = ObjectStoreSettings(), wallClock: WallClock = .system, logger: Logger
    ) {
        self.address = address
        self.credentials = credentials
        self.threads = threads
        self.settings = settings
        self.wallClock = wallClock
        self.logger = logger
        client = Self.client(settings, readTimeout: settings.readTimeout)
        patientClient = Self.client(settings, readTimeout: settings.joiningTimeout)
        slots = RequestSlots(count: settings.maximumRequestCount, maximumWaitingCount: settings.maximumWaitingCount)
        uploadSlots = RequestSlots(
            count: settings.maximumUploadCount, maximumWaitingCount: settings.maximumWaitingCount)
    }

    private static func client(_ settings: ObjectStoreSettings, readTimeout: Duration) -> HTTPClient {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(
                connect: TimeAmount(settings.connectTimeout), read: TimeAmount(readTimeout),
                write: TimeAmount(settings.writeTimeout)))
        // One connection for each request: a slow body does not hold up others.
        configuration.httpVersion = .http1Only
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit =
            settings.maximumRequestCount + settings.maximumUploadCount
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    package func shutDown() async {
        try? await client.shutdown()
        try? await patientClient.shutdown()
    }

    /// The counters so far.
    package var statistics: ObjectStoreStatistics { counters.withLock { $0 } }

    func count(_ change: (inout ObjectStoreStatistics) -> Void) { counters.withLock { change(&$0) } }

    // MARK: Addresses

    /// The path of an object, percent-encoded.
    ///
    /// - Throws: ``MediaStorageError`` if the key cannot be used.
    func path(of key: String) throws -> String {
        try MediaKey.check(key)
        return "\(address.bucketPath)/\(URIEncoding.encoded(address.prefix + key, keepsSlashes: true))"
    }

    // MARK: Requests

    /// Sends a request until it succeeds.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - policy: How often it is tried; `nil` for the one of the settings.
    ///   - handle: Gets an answer with a status from 200 to 299. It must read the body to its end.
    /// - Throws: ``MediaStorageError``, or `CancellationError`.
    func perform<Value>(
        _ request: StoreRequest, policy: RetryPolicy? = nil, _ handle: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        var retries = Retries(store: self, operation: request.operation, key: request.key, policy: policy)
        while true {
            do {
                return try await attempt(request, handle)
            } catch {
                try await retries.wait(after: error)
            }
        }
    }

    /// Sends a request once.
    ///
    /// - Throws: ``AttemptFailure``, or an error that ends the call.
    func attempt<Value>(
        _ request: StoreRequest, _ handle: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        try await (request.isUpload ? uploadSlots : slots).withSlot {
            let credentials = try await credentials.credentials()
            count { $0.requestCount += 1 }
            do {
                let response = try await (request.joinsObjects ? patientClient : client).execute(
                    signed(request, credentials), timeout: TimeAmount(settings.headTimeout(of: request)))
                guard (200..<300).contains(response.status.code) else {
                    throw await failure(of: response, request, credentials)
                }
                return try await handle(response)
            } catch {
                throw TransportFailure.attemptFailure(error, settings, host: address.host)
            }
        }
    }

    /// Reads a body that is not an object.
    ///
    /// - Parameter joinsObjects: whether the store may begin to answer long before it knows what to answer.
    func answer(_ response: HTTPClientResponse, joinsObjects: Bool = false) async throws -> ByteBuffer {
        try await BoundedExchange(
            timeLimit: joinsObjects ? settings.joiningTimeout * 5 : settings.answerTimeout,
            maximumByteCount: Self.maximumAnswerByteCount
        ).body(of: response)
    }

    private func signed(_ request: StoreRequest, _ credentials: StoreCredentials) -> HTTPClientRequest {
        let time = wallClock.now()
        var signature = RequestSignature(
            method: request.method.rawValue, path: request.path, query: request.query,
            headers: request.headers + [
                ("host", address.host), ("x-amz-content-sha256", request.payloadHash),
                ("x-amz-date", time.compactText),
            ], payloadHash: request.payloadHash, time: time, region: address.region)
        if let token = credentials.sessionToken { signature.headers.append(("x-amz-security-token", token)) }
        let query = signature.canonicalQuery
        let path = request.path.isEmpty ? "/" : request.path
        var result = HTTPClientRequest(
            url: "\(address.scheme)://\(address.host)\(path)\(query.isEmpty ? "" : "?\(query)")")
        result.method = request.method
        for header in signature.headers { result.headers.add(name: header.name, value: header.value) }
        result.headers.add(name: "authorization", value: signature.authorization(credentials))
        switch request.body {
        case .none: break
        case .bytes(let bytes): result.body = .bytes(bytes)
        case .file(let pieces):
            result.body = .stream(pieces, length: .known(pieces.range.upperBound - pieces.range.lowerBound))
        }
        return result
    }

    /// The refusal in an answer that seemed to be a success.
    func refusal(_ document: XMLElement, _ response: HTTPClientResponse) -> RefusedRequest {
        RefusedRequest(
            status: Int(response.status.code), headers: response.headers, document: document, time: wallClock.now())
    }

    /// The failure that an answer with another status means.
    private func failure(
        of response: HTTPClientResponse, _ request: StoreRequest, _ credentials: StoreCredentials
    ) async -> AttemptFailure {
        // The connection may break here; the status is what counts.
        let exchange = BoundedExchange(
            timeLimit: settings.answerTimeout, maximumByteCount: RefusedRequest.maximumBodyByteCount)
        let body = (try? await exchange.body(of: response)) ?? ByteBuffer()
        let refusal = RefusedRequest(
            status: Int(response.status.code), headers: response.headers, body: body, time: wallClock.now())
        var failure = refusal.failure(at: address)
        if refusal.concernsCredentials {
            await self.credentials.invalidate(credentials)
            failure.refusedCredentials = credentials
        }
        return failure
    }
}
