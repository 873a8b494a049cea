import HTTPEndpoints

extension StationFace {
    /// The style sheet of the accent; `nil` if the station has none of its own.
    var accentStyle: String? {
        guard let accent else { return nil }
        let light = "--accent:\(accent.onLightPages.text);--on-accent:#fff"
        let dark = "--accent:\(accent.onDarkPages.text);--on-accent:#000"
        return """
            :root{\(light)}
            @media (prefers-color-scheme:dark){:root:not([data-theme=light]){\(dark)}}
            :root[data-theme=dark],.theatre,.stage{\(dark)}

            """
    }

    /// The version of the accent's style sheet.
    var accentVersion: String? { accentStyle.map(SiteAssets.version(of:)) }

    /// The version of the logo.
    var logoVersion: String? { logo.map { SiteAssets.version(of: $0.bytes) } }

    /// The path of the logo, or of the program's icon.
    var iconPath: String { logoVersion.map { "/site/\($0)/logo" } ?? SiteAssets.iconPath }

    /// The values of the layout that belong to the station.
    var values: [String: Any] {
        var values: [String: Any] = [
            "icon": iconPath, "iconType": logo?.type ?? "image/svg+xml",
            "logoWidth": "\(Int((Self.logoHeight * (logo?.aspect ?? 1)).rounded()))",
            "touchIcon": logo == nil || logo?.isScalable == true ? SiteAssets.touchIconPath : iconPath,
        ]
        if let accentVersion { values["accentVersion"] = accentVersion }
        return values
    }

    /// The height of the logo in the header, in pixels.
    private static let logoHeight = 28.0
}
