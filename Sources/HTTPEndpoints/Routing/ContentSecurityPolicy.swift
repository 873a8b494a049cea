/// The sources from which a page may load (Content Security Policy Level 3). The site has no inline scripts or styles
/// and loads nothing from other hosts, except images that an operator has named; players need `blob:` for media.
package struct ContentSecurityPolicy: Sendable {
    /// Other servers from which a page shows images, such as `https://example.org`.
    package var imageOrigins: Set<String>

    /// Whether pages of other sites may show the page in a frame. Only for pages without forms.
    package var mayBeFramed: Bool

    package init(imageOrigins: Set<String> = [], mayBeFramed: Bool = false) {
        (self.imageOrigins, self.mayBeFramed) = (imageOrigins, mayBeFramed)
    }

    /// The value of the header field `Content-Security-Policy`.
    package var text: String {
        let images = (["'self'", "data:"] + imageOrigins.sorted()).joined(separator: " ")
        return "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); media-src 'self' blob:; "
            + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors \(mayBeFramed ? "*" : "'none'")"
    }
}
