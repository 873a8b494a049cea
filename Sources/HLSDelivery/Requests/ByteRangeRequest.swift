import HTTPTypes
import MediaCore

/// A Range header with a single range of bytes (RFC 9110 §14.1.2).
enum ByteRangeRequest: Hashable, Sendable {
    case from(Int64)
    case fromTo(Int64, Int64)
    case last(Int64)

    /// The range that `request` asks for; `nil` if it asks for everything. Ranges apply only to GET (§14.2), and only
    /// to the representation that If-Range names (§13.1.5).
    init?(_ request: HTTPRequest, etag: String) {
        guard request.method == .get, let header = request.headerFields.first(.range),
            request.headerFields[.ifRange].map({ $0 == etag }) ?? true
        else { return nil }
        self.init(header)
    }

    /// Returns `nil` for other units, several ranges and malformed headers; they are ignored, as §14.2 allows.
    init?(_ header: String) {
        // Range units are case-insensitive (§14.1).
        guard header.prefix(6).lowercased() == "bytes=" else { return nil }
        let parts = header.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !header.contains(",") else { return nil }
        let (first, last) = (parts[0].trimmingSpaces, parts[1].trimmingSpaces)
        switch (first.isEmpty, last.isEmpty) {
        case (true, true): return nil
        case (true, false):
            guard let count = Int64(digits: last) else { return nil }
            self = .last(count)
        case (false, true):
            guard let start = Int64(digits: first) else { return nil }
            self = .from(start)
        case (false, false):
            guard let start = Int64(digits: first), let end = Int64(digits: last), start <= end else { return nil }
            self = .fromTo(start, end)
        }
    }

    /// The range within a representation of `byteCount` bytes; `nil` if it lies outside (416).
    func resolved(byteCount: Int64) -> Range<Int64>? {
        switch self {
        case .from(let start): start < byteCount ? start..<byteCount : nil
        case .fromTo(let start, let end): start < byteCount ? start..<(min(end, byteCount - 1) + 1) : nil
        case .last(let count): count > 0 && byteCount > 0 ? max(0, byteCount - count)..<byteCount : nil
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: Substring {
        var rest = self
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return rest
    }
}
