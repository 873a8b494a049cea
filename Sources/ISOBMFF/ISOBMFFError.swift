package import MediaCore

/// A file whose boxes cannot be used: what is wrong, in which box and at which byte of the file.
package struct ISOBMFFError: Error, Hashable, CustomStringConvertible {
    package enum Code: Hashable, Sendable {
        /// The file does not start as ISO BMFF files do.
        case notISOBaseMedia
        /// A box or the media it describes reaches past the end of the file.
        case truncated
        /// A field contradicts another one, or the specification.
        case invalid
        /// Legal, but not packaged in place.
        case unsupported
        /// Larger than a named limit.
        case limitExceeded
        /// The file could not be read there.
        case unreadable
    }

    package var code: Code
    /// `nil` where no single box is at fault.
    package var box: FourCC?
    /// Of the box, from the start of the file; `nil` where no single place is at fault.
    package var byteOffset: Int64?
    package var reason: String

    package init(_ code: Code, box: FourCC? = nil, at byteOffset: Int64? = nil, _ reason: String) {
        self.code = code
        self.box = box
        self.byteOffset = byteOffset
        self.reason = reason
    }

    /// Whether a track is to blame and its neighbours may be sound: not a file that ends early or cannot be read.
    package var concernsOneTrack: Bool { code == .invalid || code == .unsupported }

    package var description: String {
        let place = [box.map { "box '\($0)'" }, byteOffset.map { "byte \($0)" }].compactMap(\.self)
        return place.isEmpty ? reason : "\(place.joined(separator: " at ")): \(reason)"
    }
}
