/// A media store or its cache could not do what it was asked to.
package struct MediaStorageError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, by which callers decide what to do.
    package struct Code: Sendable, Hashable, CustomStringConvertible {
        package let description: String

        private init(_ description: String) { self.description = description }

        /// An address or a setting is wrong.
        package static let invalidAddress = Code("invalidAddress")
        /// A key cannot be used (``MediaKey``), or a range lies outside the object.
        package static let invalidRequest = Code("invalidRequest")
        /// There is no object with the key, or no such bucket.
        package static let notFound = Code("notFound")
        /// The object was replaced since its version was determined.
        package static let changed = Code("changed")
        /// The store refuses the credentials, or they do not allow the operation.
        package static let accessDenied = Code("accessDenied")
        /// There are no credentials, or the place that they come from does not answer.
        package static let noCredentials = Code("noCredentials")
        /// This machine's clock differs too much from the store's.
        package static let clockSkew = Code("clockSkew")
        /// Too many calls wait already; the limit protects memory. Nothing was tried.
        package static let busy = Code("busy")
        /// The store does not answer, or answers with errors, after all tries.
        package static let unavailable = Code("unavailable")
        /// The store holds or sends other bytes than were put.
        package static let corrupted = Code("corrupted")
        /// The store refuses the request for another reason.
        package static let refused = Code("refused")
        /// The store's answer cannot be understood.
        package static let malformedAnswer = Code("malformedAnswer")
        /// A local file cannot be read or written.
        package static let localFile = Code("localFile")
        /// The store or the cache has been shut down.
        package static let shutDown = Code("shutDown")
    }

    package var code: Code
    /// The operation that was tried, such as "read": the text after "cannot". `nil` if the reason stands on its own.
    package var operation: String?
    /// The object's key, or the prefix of a list.
    package var key: String?
    /// A sentence without a full stop: what is wrong, and what to do.
    package var reason: String
    /// The HTTP status of the store's answer, if there was one.
    package var status: Int?
    /// The error code of the store's answer (`SlowDown`, `NoSuchBucket`), if there was one.
    package var storeCode: String?
    /// The system's reason (`errno`), if a local file was the problem.
    package var systemError: Int32?

    /// Creates an error; the parameters are the properties of the same names.
    package init(
        _ code: Code, _ reason: String, operation: String? = nil, key: String? = nil, status: Int? = nil,
        storeCode: String? = nil, systemError: Int32? = nil
    ) {
        self.code = code
        self.operation = operation
        self.key = key
        self.reason = reason
        self.status = status
        self.storeCode = storeCode
        self.systemError = systemError
    }

    /// True if the same call may succeed later without anybody's help.
    package var isTemporary: Bool { code == .busy || code == .unavailable }

    package var description: String {
        guard let operation else { return reason }
        return "cannot \(operation)\(key.map { $0.isEmpty ? "" : " \($0)" } ?? ""): \(reason)"
    }
}
