import TableDocuments

/// Checks that the libraries are installed that make PDF files of results and draw scoreboards.
struct PDFCheck: DoctorCheck {
    let name = "pdf"
    /// The version of pango, or the reason why the libraries cannot be loaded.
    let version: Result<String, PDFError>

    var finding: DoctorFinding {
        switch version {
        case .success(let version): .ok("cairo and pango \(version) make PDF files of results, and draw scoreboards")
        case .failure(let error):
            .warning(
                "results of matches cannot be made PDF files, and no scoreboard can be drawn into a picture: "
                    + error.reason,
                remedy: "install cairo and pango, and fonts for the scripts of your players' names")
        }
    }

    /// Loads the libraries.
    static func examine() -> PDFCheck {
        do throws(PDFError) { try PDFLibraries.load() } catch { return PDFCheck(version: .failure(error)) }
        return PDFCheck(version: .success(PDFLibraries.version))
    }
}
