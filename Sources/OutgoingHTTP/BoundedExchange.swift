package import AsyncHTTPClient
package import NIOCore
package import NIOHTTP1

/// One request of the server to somebody else's, with limits for all of it. The time limits of AsyncHTTPClient end with
/// the head of the answer, or begin again with each byte, so that a server that sends a byte now and then would hold
/// those who wait for it, for days.
///
/// Every request of the server goes through here (`Scripts/check-outgoing.py`).
package struct BoundedExchange: Sendable, Hashable {
    /// The answer with its whole body.
    package struct Answer: Sendable {
        package var status: HTTPResponseStatus
        package var headers: HTTPHeaders
        package var body: ByteBuffer
    }

    /// Time from the look-up of the host to the last byte.
    package var timeLimit: Duration
    /// Limit of the bytes that are read of the body.
    package var maximumByteCount: Int

    /// - Parameters:
    ///   - timeLimit: time from the look-up of the host to the last byte.
    ///   - maximumByteCount: limit of the bytes that are read of the body.
    package init(timeLimit: Duration, maximumByteCount: Int) {
        (self.timeLimit, self.maximumByteCount) = (timeLimit, maximumByteCount)
    }

    /// Sends a request and reads the whole answer.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - client: sends it; its own time limits may end it sooner.
    ///   - onHead: gets the head as soon as it is there, for those to whom only that matters.
    /// - Throws: ``ExchangeTimeout``, `NIOTooManyBytesError`, or an error of the client.
    package func answer(
        to request: HTTPClientRequest, by client: HTTPClient,
        onHead: @escaping @Sendable (HTTPResponseStatus, HTTPHeaders) -> Void = { _, _ in }
    ) async throws -> Answer {
        try await Self.within(timeLimit) { [timeLimit, maximumByteCount] in
            let response = try await client.execute(request, timeout: TimeAmount(timeLimit))
            onHead(response.status, response.headers)
            let body = try await response.body.collect(upTo: maximumByteCount)
            return Answer(status: response.status, headers: response.headers, body: body)
        }
    }

    /// Sends a request and reads the head of the answer; nobody needs its body, which is not waited for.
    ///
    /// - Throws: ``ExchangeTimeout``, or an error of the client.
    package func status(of request: HTTPClientRequest, by client: HTTPClient) async throws -> Int {
        try await Self.within(timeLimit) { [timeLimit] in
            Int(try await client.execute(request, timeout: TimeAmount(timeLimit)).status.code)
        }
    }

    /// Reads the whole body of an answer whose head has come.
    ///
    /// - Throws: ``ExchangeTimeout``, `NIOTooManyBytesError`, or an error of the client.
    package func body(of response: HTTPClientResponse) async throws -> ByteBuffer {
        try await Self.within(timeLimit) { [maximumByteCount] in
            try await response.body.collect(upTo: maximumByteCount)
        }
    }

    /// Does something that must be over after a time, and cancels it then.
    ///
    /// - Throws: ``ExchangeTimeout``, or the error of `body`.
    package static func within<Value: Sendable>(
        _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw ExchangeTimeout(limit: limit)
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
