/// A small image of the media that is being sent.
public struct PreviewImage: Sendable {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// Three bytes per pixel, row by row without gaps; or a JPEG file.
    public var bytes: [UInt8]

    /// Creates an image; `bytes` are as described at ``bytes``.
    public init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }
}

/// The former name of ``PreviewImage``.
@available(*, deprecated, renamed: "PreviewImage")
public typealias PreviewPicture = PreviewImage
