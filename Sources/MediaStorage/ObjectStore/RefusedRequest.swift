import MediaCore
import NIOCore
import NIOHTTP1
import XMLDocument

/// An answer with a status that is not a success, or an `Error` document in one that seemed to be.
struct RefusedRequest: Sendable {
    let status: Int
    let headers: HTTPHeaders
    /// The `Code` of the error document, such as `SlowDown`.
    let code: String?
    private let message: String?
    private let bucketRegion: String?
    /// When the answer arrived, by this machine's clock.
    private let time: WallClockTime

    static let maximumBodyByteCount = 64 << 10
    private static let maximumTextCharacterCount = 200
    /// S3 refuses signatures that differ by 15 minutes.
    private static let maximumClockDifference = Duration.seconds(300)

    init(status: Int, headers: HTTPHeaders, body: ByteBuffer, time: WallClockTime) {
        self.init(status: status, headers: headers, document: try? XMLReader.read(body.readableBytesView), time: time)
    }

    /// - Parameter document: The error document, if there is one.
    init(status: Int, headers: HTTPHeaders, document: XMLElement?, time: WallClockTime) {
        let error = document.flatMap { $0.name == "Error" ? $0 : nil }
        func text(_ name: String) -> String? {
            error?[name].flatMap {
                $0.isEmpty
                    ? nil : UntrustedText.escaped($0, maximumCharacterCount: Self.maximumTextCharacterCount)
            }
        }
        self.status = status
        self.headers = headers
        self.time = time
        code = text("Code")
        message = text("Message")
        bucketRegion =
            headers.first(name: "x-amz-bucket-region").map {
                UntrustedText.escaped($0, maximumCharacterCount: Self.maximumTextCharacterCount)
            } ?? text("Region")
    }

    /// True if other credentials may help: these have expired, or were replaced.
    var concernsCredentials: Bool {
        ["ExpiredToken", "InvalidToken", "InvalidAccessKeyId", "TokenRefreshRequired"].contains(code)
    }

    /// The failure that the answer means.
    func failure(at address: ObjectStoreAddress) -> AttemptFailure {
        let (kind, reason) = meaning(at: address)
        var failure = AttemptFailure(
            MediaStorageError(kind, reason, status: status, storeCode: code), isRetryable: isRetryable)
        failure.retryAfter = retryAfter
        return failure
    }

    private var isRetryable: Bool {
        if let code, ["SlowDown", "InternalError", "ServiceUnavailable", "RequestTimeout"].contains(code) {
            return true
        }
        // The body was damaged on its way, or the file changed, which shows at the next try.
        if code == "BadDigest" || code == "XAmzContentSHA256Mismatch" || code == "IncompleteBody" { return true }
        return status == 408 || status == 429 || (500..<600).contains(status) && status != 501 && status != 507
    }

    private var retryAfter: Duration? {
        guard let text = headers.first(name: "Retry-After") else { return nil }
        if let seconds = Int64(digits: text[...]) { return .seconds(seconds) }
        return HTTPDate.time(ofHeader: text).map { max(.zero, $0 - time) }
    }

    // MARK: What it means

    private func meaning(at address: ObjectStoreAddress) -> (MediaStorageError.Code, String) {
        if let reason = clockReason { return (.clockSkew, reason) }
        switch (status, code) {
        case (_, "NoSuchBucket"?):
            return (.notFound, "there is no bucket `\(address.bucket)`; create it, or correct the address")
        case (404, _): return (.notFound, "there is no such object")
        case (412, _): return (.changed, "the object has been replaced")
        case (416, _): return (.invalidRequest, "the range lies outside the object")
        case (301, _), (307, _), (_, "AuthorizationHeaderMalformed"?):
            let region = bucketRegion.map { "it is in the region `\($0)`: set region=\($0)" }
            return (
                .refused,
                "the store expects the bucket `\(address.bucket)` elsewhere; "
                    + (region ?? "check `endpoint` and `region` of the address")
            )
        case (_, "SignatureDoesNotMatch"?):
            return (
                .accessDenied,
                "the store refuses the signature; check the secret access key, and `region` and `style` of the address"
            )
        case (_, "BadDigest"?), (_, "XAmzContentSHA256Mismatch"?):
            return (.corrupted, "the store received other bytes than were sent")
        case (401, _), (403, _):
            return (.accessDenied, "the store refuses the credentials, or they do not allow this\(details)")
        case _ where concernsCredentials: return (.accessDenied, "the store refuses the credentials\(details)")
        case _ where isRetryable: return (.unavailable, "the store answers with status \(status)\(details)")
        default: return (.refused, "the store refuses the request with status \(status)\(details)")
        }
    }

    private var details: String {
        let parts = [code, message].compactMap(\.self)
        return parts.isEmpty ? "" : " (\(parts.joined(separator: ": ")))"
    }

    /// Says how far this machine's clock is off, if that is why the request was refused.
    private var clockReason: String? {
        let storeTime = headers.first(name: "Date").flatMap(HTTPDate.time(ofHeader:))
        let difference = storeTime.map { time - $0 }
        let isFar = difference.map { $0.magnitude > Self.maximumClockDifference } ?? false
        guard code == "RequestTimeTooSkewed" || status == 403 && isFar else { return nil }
        guard let difference else {
            return "this machine's clock differs too much from the store's; set it, for instance by NTP"
        }
        let seconds = Int64(difference.magnitude.seconds.rounded())
        let amount = seconds < 120 ? "\(seconds) s" : "\((seconds + 30) / 60) min"
        return """
            this machine's clock is \(amount) \(difference < .zero ? "behind" : "ahead of") the store's; set it, for \
            instance by NTP
            """
    }
}
