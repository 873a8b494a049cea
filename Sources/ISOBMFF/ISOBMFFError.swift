package import MediaCore

/// A file whose boxes cannot be used: the reason, the box, and the byte offset in the file.
package struct ISOBMFFError: Error, Hashable, CustomStringConvertible {
    /// The kinds of error.
    package enum Code: Hashable, Sendable {
        /// The file does not start as ISO BMFF files do.
        case notISOBaseMedia
        /// A box or the media it describes reaches past the end of the file.
        case truncated
        /// A field contradicts another one, or the specification.
        case invalid
        /// The file is legal, but cannot be packaged without conversion.
        case unsupported
        /// Larger than a named limit.
        case limitExceeded
        /// Reading the file failed at this place.
        case unreadable
    }

    package var code: Code
    /// Type of the box at fault; `nil` if no single box is.
    package var box: FourCC?
    /// Offset of that box from the start of the file, in bytes; `nil` if no single place is at fault.
    package var byteOffset: Int64?
    /// The reason; the description prints it after box and offset.
    package var reason: String

    package init(_ code: Code, box: FourCC? = nil, at byteOffset: Int64? = nil, _ reason: String) {
        self.code = code
        self.box = box
        self.byteOffset = byteOffset
        self.reason = reason
    }

    /// Whether only one track is at fault, so that the others may be usable. False if the file ends early or cannot
    /// be read.
    package var concernsOneTrack: Bool { code == .invalid || code == .unsupported }

    package var description: String {
        let place = [box.map { "box '\($0)'" }, byteOffset.map { "byte \($0)" }].compactMap(\.self)
        return place.isEmpty ? reason : "\(place.joined(separator: " at ")): \(reason)"
    }
}
