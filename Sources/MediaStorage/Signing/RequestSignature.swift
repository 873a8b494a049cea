import Crypto
import Foundation
import MediaCore

/// Signature Version 4 of a request (AWS, "Signature Version 4 signing process").
///
/// S3 requests are signed with the path as it is sent: percent-encoded once, and not normalized.
struct RequestSignature {
    var method: String
    /// The percent-encoded path, as it is sent.
    var path: String
    /// Names and values of the query, not encoded.
    var query: [(name: String, value: String)] = []
    /// All headers that are signed, `host` and `x-amz-date` among them; names in lower case.
    var headers: [(name: String, value: String)]
    /// The SHA-256 of the body in hexadecimal digits.
    var payloadHash: String
    var time: WallClockTime
    var region: String
    var service = "s3"

    /// The SHA-256 of no bytes.
    static let emptyPayloadHash = SHA256.hash(data: Data()).hexadecimalDigits

    /// The value of the Authorization header.
    func authorization(_ credentials: StoreCredentials) -> String {
        let signature = HMAC<SHA256>.authenticationCode(
            for: Data(stringToSign.utf8), using: signingKey(credentials.secretAccessKey))
        return """
            AWS4-HMAC-SHA256 Credential=\(credentials.accessKeyID)/\(scope), SignedHeaders=\(signedHeaders), \
            Signature=\(signature.hexadecimalDigits)
            """
    }

    /// The query as it is sent: encoded, in the order of the names.
    var canonicalQuery: String {
        query.map { (URIEncoding.encoded($0.name), URIEncoding.encoded($0.value)) }
            .sorted { $0 < $1 }.map { "\($0)=\($1)" }.joined(separator: "&")
    }

    var canonicalRequest: String {
        let lines = sortedHeaders.map { "\($0.name):\(Self.trimmed($0.value))\n" }.joined()
        return [method, path.isEmpty ? "/" : path, canonicalQuery, lines, signedHeaders, payloadHash]
            .joined(separator: "\n")
    }

    var stringToSign: String {
        let hash = SHA256.hash(data: Data(canonicalRequest.utf8)).hexadecimalDigits
        return ["AWS4-HMAC-SHA256", time.compactText, scope, hash].joined(separator: "\n")
    }

    private var date: Substring { time.compactText.prefix(8) }
    private var scope: String { "\(date)/\(region)/\(service)/aws4_request" }
    private var signedHeaders: String { sortedHeaders.map(\.name).joined(separator: ";") }
    private var sortedHeaders: [(name: String, value: String)] { headers.sorted { $0.name < $1.name } }

    private func signingKey(_ secret: String) -> SymmetricKey {
        [String(date), region, service, "aws4_request"].reduce(SymmetricKey(data: Data("AWS4\(secret)".utf8))) {
            SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Data($1.utf8), using: $0))
        }
    }

    /// Without spaces at the ends, and with single spaces between words.
    private static func trimmed(_ value: String) -> String {
        value.split(separator: " ").joined(separator: " ")
    }
}

extension WallClockTime {
    /// The time as in `20150830T123600Z`.
    var compactText: String {
        let seconds = millisecondsSince1970.dividingFloor(by: 1_000)
        let days = seconds.dividingFloor(by: 86_400)
        let (date, second) = (CivilDate(daysSince1970: days), seconds - days * 86_400)
        func padded(_ number: Int64, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(date.year, 4) + padded(date.month, 2) + padded(date.day, 2) + "T" + padded(second / 3_600, 2)
            + padded(second / 60 % 60, 2) + padded(second % 60, 2) + "Z"
    }
}
