import MediaCore

extension QRCode {
    /// §9.1: light modules on each side.
    private static let quietZone = 4

    /// The code as an SVG element for a page: dark on light in dark pages, too, because not every scanner reads the
    /// inverse.
    ///
    /// - Parameter label: what a screen reader says; escaped here.
    func svg(label: String) -> String {
        let edge = size + 2 * Self.quietZone
        let path = modules.indices.filter { modules[$0] }
            .map { "M\($0 % size + Self.quietZone) \($0 / size + Self.quietZone)h1v1h-1z" }.joined()
        return """
            <svg class="code" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(edge) \(edge)" role="img" \
            aria-label="\(XMLText.escaped(label))" shape-rendering="crispEdges">\
            <path fill="#fff" d="M0 0h\(edge)v\(edge)h-\(edge)z"/><path fill="#000" d="\(path)"/></svg>
            """
    }
}
