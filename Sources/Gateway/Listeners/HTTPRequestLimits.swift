import HummingbirdCore
import NIOHPACK

/// Limits of the head of a request, whatever version of HTTP it comes with (`HTTPConnectionConfiguration`).
///
/// A test walks over the fields: each must hold for HTTP/1.1 and for HTTP/2.
struct HTTPRequestLimits: Sendable, Equatable {
    /// Limit of all header fields, with 32 bytes for each (RFC 9113 §6.5.2). Browsers stay below 8 KB; the rest is for
    /// cookies of other programs on the same host.
    var headerListByteCount = 32 * 1024
    /// Limit of one header field, and of the URL.
    var headerFieldByteCount = 16 * 1024
    /// Limit of the number of header fields.
    var headerFieldCount = 100

    /// The limits in the form of the decoder of HTTP/1.1.
    var decoder: HTTP1Channel.Configuration.DecoderConfiguration {
        HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: headerFieldByteCount, maxHeaderListSize: headerListByteCount,
            maxHeaderFieldCount: headerFieldCount)
    }

    /// The size of a head.
    struct Size: Equatable {
        var fieldCount = 0
        /// Bytes of all names and values.
        var byteCount = 0
        /// Bytes of the largest field.
        var largestFieldByteCount = 0
    }

    /// Returns the size of a head of HTTP/2, whose decoder has no limit but that of all fields together.
    func size(of headers: HPACKHeaders) -> Size {
        var size = Size()
        for (name, value, _) in headers {
            let byteCount = name.utf8.count + value.utf8.count
            // The URL and the method are no fields of HTTP/1.1.
            if !name.hasPrefix(":") { size.fieldCount += 1 }
            size.byteCount += byteCount
            size.largestFieldByteCount = max(size.largestFieldByteCount, byteCount)
        }
        return size
    }

    func allow(_ size: Size) -> Bool {
        size.fieldCount <= headerFieldCount && size.largestFieldByteCount <= headerFieldByteCount
            && size.byteCount + 32 * size.fieldCount <= headerListByteCount
    }
}
