import Community
import HTTPEndpoints

/// The texts of the maps of competitions.
struct MapText {
    let language: SiteLanguage
    let map, mapOf, stages, scrolls, oneOutside, manyOutside: String
    // For operators.
    let edit, about, imageAbout, file, north, west, south, east, use, remove, noFile: String

    static func preferred(_ acceptLanguage: String?) -> MapText {
        switch SiteLanguage.preferred(acceptLanguage) {
        case .english: english
        case .spanish: spanish
        }
    }

    /// What is said below a drawing; empty if there is nothing to say.
    ///
    /// - Parameters:
    ///   - names: the names of the lines.
    ///   - outsideCount: the number of videos from places that the map does not show.
    func caption(_ names: [String], outsideCount: Int) -> String {
        var parts: [String] = []
        if !names.isEmpty { parts.append("\(stages) \(names.joined(separator: " · ")).") }
        switch outsideCount {
        case 0: break
        case 1: parts.append(oneOutside)
        default: parts.append(manyOutside.replacing("{count}", with: "\(outsideCount)"))
        }
        return parts.joined(separator: " ")
    }

    /// What is wrong with a map that was sent.
    func sentence(_ failure: MapFailure) -> String {
        if language == .english {
            let reason = failure.description
            return "\(reason.withCapital)."
        }
        return switch failure {
        case .notXML(_, let offset): "El archivo no es XML que se pueda leer: hay un error en el byte \(offset)."
        case .notGPX(let root): "El archivo no es GPX: su primer elemento es «\(root)» y no «gpx»."
        case .noLine: "El archivo no tiene ningún recorrido ni ruta con dos puntos."
        case .tooManyLines(let count):
            "Un mapa tiene como máximo \(GPXTrack.maximumLineCount) segmentos y rutas, no \(count)."
        case .tooManyPoints(let count):
            "Un archivo tiene como máximo \(GPXTrack.maximumPointCount) puntos, no \(count); guárdelo con menos."
        case .coordinate(let value, let isLatitude, let line, let point):
            spanishSentence(value, isLatitude ? "latitud" : "longitud", line, point)
        case .tooWide: "Un mapa abarca como máximo \(Int(MapBounds.maximumWidth)) grados de longitud."
        case .tooCloseToAPole: "Un mapa termina a \(Int(MapBounds.maximumLatitude)) grados norte y sur."
        case .edges:
            "Una imagen necesita sus bordes en grados: el norte por encima del sur, los dos de -85 a 85; el oeste y el este de "
                + "-180 a 180, a 180 como máximo el uno del otro."
        case .image: "Este archivo no sirve como imagen de un mapa."
        }
    }

    private func spanishSentence(_ value: String?, _ name: String, _ line: Int, _ point: Int) -> String {
        let wrong = value.map { "tiene la \(name) «\($0)»" } ?? "no tiene \(name)"
        return "El punto \(point) del segmento \(line) \(wrong); "
            + "las latitudes van de -90 a 90, y las longitudes de -180 a 180."
    }

    private static let english = MapText(
        language: .english, map: "Map", mapOf: "Map with the videos of", stages: "Stages:",
        scrolls: "Map, which may be wider than the screen",
        oneOutside: "One more video is from a place outside the map.",
        manyOutside: "{count} more videos are from places outside the map.", edit: "Edit map",
        about:
            "Videos that say where they are from are points on the map. A GPX file with tracks or routes is drawn as it is; "
            + "its names are written beside the lines.",
        imageAbout:
            "An image, such as a plan of the stages, needs the degrees of its four edges. Its upper edge is in the north.",
        file: "GPX, JPEG or PNG file", north: "Latitude of the upper edge, only for an image",
        west: "Longitude of the left edge", south: "Latitude of the lower edge", east: "Longitude of the right edge",
        use: "Use as map", remove: "Remove the map", noFile: "Choose a GPX, JPEG or PNG file.")

    private static let spanish = MapText(
        language: .spanish, map: "Mapa", mapOf: "Mapa con los vídeos de", stages: "Tramos:",
        scrolls: "Mapa, que puede ser más ancho que la pantalla",
        oneOutside: "Hay un vídeo más de un lugar fuera del mapa.",
        manyOutside: "Hay {count} vídeos más de lugares fuera del mapa.", edit: "Editar el mapa",
        about:
            "Los vídeos que dicen de dónde son aparecen como puntos en el mapa. Un archivo GPX con recorridos o rutas se dibuja "
            + "tal cual; sus nombres se escriben junto a las líneas.",
        imageAbout:
            "Una imagen, como un plano de los tramos, necesita los grados de sus cuatro bordes. Su borde superior está al norte.",
        file: "Archivo GPX, JPEG o PNG", north: "Latitud del borde superior, solo para una imagen",
        west: "Longitud del borde izquierdo", south: "Latitud del borde inferior", east: "Longitud del borde derecho",
        use: "Usar como mapa", remove: "Quitar el mapa", noFile: "Elija un archivo GPX, JPEG o PNG.")
}
