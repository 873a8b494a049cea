/// A request for preview images.
public struct PreviewRequest: Hashable, Sendable {
    /// The format of an image: raw bytes or a JPEG file.
    public enum Form: Hashable, Sendable { case rgb, jpeg }

    /// The format of ``PreviewPicture/bytes``.
    public var form: Form
    /// The maximum width in pixels; the aspect ratio is kept.
    public var width: Int
    /// The maximum height in pixels.
    public var height: Int
    /// The maximum number of images per second.
    public var picturesPerSecond: Double

    /// Creates a request; width and height are in pixels.
    public init(form: Form, width: Int, height: Int, picturesPerSecond: Double) {
        self.form = form
        self.width = width
        self.height = height
        self.picturesPerSecond = picturesPerSecond
    }
}
