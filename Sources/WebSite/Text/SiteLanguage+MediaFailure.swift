import HTTPEndpoints

extension SiteLanguage {
    /// The reason why a title or track cannot be played, in this language.
    ///
    /// - Parameter reason: the reason in English, as the record has it.
    func mediaFailure(_ reason: String) -> String {
        guard self == .spanish else { return reason }
        let known = [
            ("is encrypted", "el archivo está cifrado; solo se reproducen archivos sin protección contra copia"),
            ("not in any media format", "no está en ningún formato de vídeo que Antena conozca"),
            ("no file extension", "el nombre no tiene la extensión de un vídeo"),
            ("cut off", "el archivo está incompleto"), ("truncated", "el archivo está incompleto"),
            ("the disk is full", "el disco del servidor está lleno"), ("empty", "el archivo está vacío"),
        ]
        if let text = known.first(where: { reason.contains($0.0) })?.1 { return text }
        if let codec = Self.unsupportedCodec(in: reason) { return "el servidor no sabe decodificar \(codec)" }
        return "el servidor no puede leer el archivo (\(reason))"
    }

    /// The name in "film.mp4: NAME is not supported"; `nil` if that is not the reason.
    private static func unsupportedCodec(in reason: String) -> String? {
        let parts = reason.split(separator: " is not supported", maxSplits: 1)
        guard parts.count > 1 else { return nil }
        let name = parts[0].split(separator: ": ").last.map(String.init)
        return name?.replacing("the codec", with: "el códec").replacing(
            "an unknown codec", with: "un códec desconocido")
    }
}
