/// A request for preview images.
public struct PreviewRequest: Hashable, Sendable {
    /// The format of an image: raw bytes or a JPEG file.
    public enum Form: Hashable, Sendable { case rgb, jpeg }

    /// The format of ``PreviewImage/bytes``.
    public var form: Form
    /// The maximum width in pixels; the aspect ratio is kept.
    public var width: Int
    /// The maximum height in pixels.
    public var height: Int
    /// The maximum number of images per second.
    public var framesPerSecond: Double

    /// Creates a request; width and height are in pixels.
    public init(form: Form, width: Int, height: Int, framesPerSecond: Double) {
        self.form = form
        self.width = width
        self.height = height
        self.framesPerSecond = framesPerSecond
    }
}

// The former names, for programs that were written for them.
extension PreviewRequest {
    /// The former name of ``framesPerSecond``.
    @available(*, deprecated, renamed: "framesPerSecond")
    public var picturesPerSecond: Double { framesPerSecond }

    /// The former spelling of ``init(form:width:height:framesPerSecond:)``.
    @available(*, deprecated, renamed: "init(form:width:height:framesPerSecond:)")
    public init(form: Form, width: Int, height: Int, picturesPerSecond: Double) {
        self.init(form: form, width: width, height: height, framesPerSecond: picturesPerSecond)
    }
}
