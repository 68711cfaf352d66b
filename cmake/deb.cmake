# cpack -G DEB in the build folder: three Debian packages. What they depend on is computed from what they link.
set(CPACK_PACKAGE_NAME contatto)
set(CPACK_PACKAGE_VENDOR contatto)
set(CPACK_PACKAGE_CONTACT "contatto <contatto@localhost>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION sound)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_COMPONENTS_ALL library dev program)

set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}) # the libraries find one another
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libcontatto${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The shared libraries: bodies vibrate, contacts press, slip and let go, and
what is heard is computed from masses, stiffnesses and speeds.")

set(CPACK_DEBIAN_DEV_PACKAGE_NAME libcontatto-dev)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEV_PACKAGE_SHLIBDEPS OFF)
set(CPACK_COMPONENT_DEV_DEPENDS library)
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "libsndfile1-dev")
set(CPACK_COMPONENT_DEV_DESCRIPTION "What compiling with libcontatto needs: headers, static libraries, examples,
and how CMake and pkg-config find them.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME contatto)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION "The program: renders and measures scenes of bodies in contact, and serves
the lab, in which they are played in a browser.")
include(CPack)
