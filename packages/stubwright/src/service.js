// `stubwright/service`: the package of the service, which this one does not install.
export * from '@stubwright/service';
